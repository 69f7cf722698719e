/** Forms for orders: what is entered becomes an order. */

import { h } from "../dom";
import { type Key, t } from "../texts";
import type { Order } from "./alerts";

export type Give = (order: Order) => void;

/** `make` returns what is ordered by what was entered. */
export function form(title: Key, make: () => Order, give: Give, ...fields: Node[]): HTMLElement {
  return h(
    "form",
    {
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        give(make());
      },
    },
    h("fieldset", {}, h("legend", {}, t(title)), ...fields, h("button", { type: "submit" }, t("order.do"))),
  );
}

export function choice(name: Key, values: readonly string[], text: (value: string) => string): HTMLSelectElement {
  const options = values.map((value) => h("option", { value }, text(value)));
  return h("select", { "aria-label": t(name) }, ...options);
}

/** One of several whose texts are those of a group: `of("claim")("moves")` is "claim.moves". */
export const of =
  (group: string) =>
  (value: string): string =>
    t(`${group}.${value}` as Key);

export function side(name: Key = "order.player"): HTMLSelectElement {
  return choice(name, ["white", "black"], (value) => t(value as Key));
}

export function number(name: Key, least: number, value: number): HTMLInputElement {
  const field = h("input", { type: "number", "aria-label": t(name), title: t(name), min: least, value, required: true });
  return field;
}

export function text(name: Key, attributes: Record<string, string | boolean> = {}): HTMLInputElement {
  return h("input", { type: "text", "aria-label": t(name), placeholder: t(name), ...attributes });
}
