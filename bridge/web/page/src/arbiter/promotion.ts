/** What a pawn becomes. */

import { h } from "../dom";
import { t } from "../texts";

const PIECES = { q: "man.queen", r: "man.rook", b: "man.bishop", n: "man.knight" } as const;

/** Ask; the promise is kept with the piece's letter, or with `null` if the move is given up. */
export function askPromotion(): Promise<string | null> {
  const buttons = Object.entries(PIECES).map(([letter, name]) =>
    h("button", { type: "submit", value: letter }, t(name)),
  );
  const cancel = h("button", { type: "submit", value: "" }, t("order.cancel"));
  const form = h("form", { method: "dialog" }, h("h2", {}, t("moves.promotion")), h("div", { class: "buttons" }, ...buttons, cancel));
  const dialog = h("dialog", { class: "order" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue || null);
    });
  });
}
