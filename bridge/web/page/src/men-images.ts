/** The pictures of the men, and the colours of the squares they stand on, from the style. */

import "@lichess-org/chessground/assets/chessground.cburnett.css";

import { h } from "./dom";

const ROLES: Record<string, string> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

/** Addresses of the pictures by the letters of FEN. */
export function menImages(): Map<string, string> {
  const wrap = h("div", { class: "cg-wrap unseen" });
  document.body.append(wrap);
  const found = new Map<string, string>();
  for (const [letter, role] of Object.entries(ROLES)) {
    for (const colour of ["white", "black"]) {
      const man = document.createElement("piece");
      man.className = `${role} ${colour}`;
      wrap.append(man);
      const address = /url\("(.*)"\)/.exec(getComputedStyle(man).backgroundImage)?.[1];
      const key = colour === "white" ? letter.toUpperCase() : letter;
      if (address !== undefined) found.set(key, address);
    }
  }
  wrap.remove();
  return found;
}

/** A colour of the style that every program understands: of the pair for light and dark, as it is now. */
export function colourOf(name: string): string {
  const probe = h("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
