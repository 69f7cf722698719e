/** A part of the page that is unfolded, and does nothing before. */

import { toldText } from "../alert-texts";
import { choose } from "../asking";
import { type Child, h } from "../dom";
import { Refused } from "../session";
import { t } from "../texts";

/** `opened` is called each time it is unfolded, `closed` when it is folded again. */
export function panel(
  title: string,
  parts: Child[],
  { opened, closed }: { opened?: () => void; closed?: () => void } = {},
): HTMLDetailsElement {
  const element = h("details", { class: "panel" }, h("summary", {}, h("h2", {}, title)), ...parts);
  element.addEventListener("toggle", () => (element.open ? opened : closed)?.());
  return element;
}

/** Why something that was asked for did not happen. */
export function reasonOf(error: unknown): string {
  return error instanceof Refused ? toldText(error.message) : t("order.unsent");
}

/** Ask once more before something is changed. */
export async function sure(what: string): Promise<boolean> {
  return (await choose(h("p", {}, what), { yes: t("order.confirm") }, "yes")) === "yes";
}
