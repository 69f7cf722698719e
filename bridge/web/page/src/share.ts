/** What a reader may take along: the game as PGN, the address, the position as a picture. */

import { pgnOf } from "./api";
import { h, say } from "./dom";
import { type Picture, pngOf, svgOf } from "./picture";
import { t } from "./texts";

const SAID_MS = 2000;

export function sharing(table: string, picture: () => Picture | null): HTMLElement {
  const said = h("span", { class: "faint", role: "status" });
  const button = (name: string, act: () => Promise<void>): HTMLElement =>
    h("button", { type: "button", onclick: () => void act() }, name);
  async function save(kind: "svg" | "png"): Promise<void> {
    const shown = picture();
    if (shown === null) return;
    const drawing = svgOf(shown);
    const address = kind === "svg" ? addressOf(drawing) : await pngOf(drawing);
    h("a", { href: address, download: `${table}-${shown.game.ply}.${kind}` }).click();
  }
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(location.href);
    say(said, t("share.copied"));
    window.setTimeout(() => say(said, ""), SAID_MS);
  }
  return h(
    "div",
    { class: "sharing", role: "group", "aria-label": t("share") },
    h("a", { class: "button", href: pgnOf(table), download: `${table}.pgn` }, "PGN"),
    button("SVG", () => save("svg")),
    button("PNG", () => save("png")),
    // The clipboard is there only for pages that came over a safe line.
    ...(window.isSecureContext ? [button(t("share.link"), copy)] : []),
    said,
  );
}

function addressOf(drawing: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
}
