/** Questions that are asked in front of the page. */

import { type Child, h } from "./dom";
import { t } from "./texts";

/** Ask; the promise is kept with the value of the button that was pressed, "" if it was given up. */
export function ask(form: HTMLFormElement): Promise<string> {
  form.method = "dialog";
  const dialog = h("dialog", { class: "order" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(dialog.returnValue);
    });
  });
}

/**
 * Let somebody choose one of several answers, by their values and texts, or none of them.
 *
 * With a *main* one, to give up is what is offered first: Enter changes nothing by mistake.
 */
export function choose(question: Child, answers: Record<string, string>, main = ""): Promise<string> {
  const buttons = Object.entries(answers).map(([value, text]) =>
    h("button", { type: "submit", value, class: value === main ? "main" : "" }, text),
  );
  const cancel = h("button", { type: "submit", value: "" }, t("order.cancel"));
  const offered = main ? [cancel, ...buttons] : [...buttons, cancel];
  return ask(h("form", {}, question, h("div", { class: "buttons" }, ...offered)));
}
