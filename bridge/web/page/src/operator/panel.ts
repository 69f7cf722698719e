/** A part of the page that is unfolded, and does nothing before. */

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
  return error instanceof Refused ? error.message : t("order.unsent");
}

/** Ask once more before something is changed. */
export function sure(what: string): Promise<boolean> {
  const cancel = h("button", { type: "submit", value: "" }, t("order.cancel"));
  const confirm = h("button", { type: "submit", class: "main", value: "yes" }, t("order.confirm"));
  const form = h("form", { method: "dialog" }, h("p", {}, what), h("div", { class: "buttons" }, cancel, confirm));
  const dialog = h("dialog", { class: "order" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue === "yes");
    });
  });
}
