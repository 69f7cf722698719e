/** Orders that no alert suggests: result, clocks, penalties, corrections, notes. */

import { h } from "../dom";
import { type Key, t } from "../texts";
import { type Order, movesPage } from "./alerts";

const RESULTS = ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "*"] as const;
const CAUSES = [
  "arbiter",
  "agreement",
  "resignation",
  "claim",
  "flag",
  "dead",
  "illegal",
  "forfeit",
  "adjudication",
  "abandoned",
] as const;
/** Of 7.5.5; blitz has one minute. */
const MORE_MINUTES = 2;

/** `give` is called with the order; the moves of the table are corrected on a page of their own. */
export function moreOrders(table: string, give: (order: Order) => void): HTMLElement {
  return h(
    "div",
    { class: "more-orders" },
    resultForm(give),
    clockForm(give),
    moreTimeForm(give),
    h(
      "div",
      { class: "buttons" },
      plain("Adjourn", give),
      plain("Resume", give),
      h("a", { class: "button", href: movesPage(table), "data-inside": true }, t("order.correct")),
    ),
    noteForm(give),
  );
}

function plain(kind: string, give: (order: Order) => void): HTMLElement {
  return h("button", { type: "button", onclick: () => give({ kind }) }, t(`order.${kind}` as Key));
}

function form(title: Key, make: () => Order | null, give: (order: Order) => void, ...fields: Node[]): HTMLElement {
  return h(
    "form",
    {
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        const order = make();
        if (order !== null) give(order);
      },
    },
    h("fieldset", {}, h("legend", {}, t(title)), ...fields, h("button", { type: "submit" }, t("order.do"))),
  );
}

function choice(name: Key, values: readonly string[], text: (value: string) => string): HTMLSelectElement {
  const options = values.map((value) => h("option", { value }, text(value)));
  return h("select", { "aria-label": t(name) }, ...options);
}

function resultForm(give: (order: Order) => void): HTMLElement {
  const result = choice("order.result", RESULTS, (value) => (value === "*" ? t("order.no_result") : value));
  const because = choice("order.because", CAUSES, (value) => t(`because.${value}` as Key));
  const make = (): Order => ({ kind: "SetResult", result: result.value, because: because.value });
  return form("order.result", make, give, result, because);
}

function clockForm(give: (order: Order) => void): HTMLElement {
  const field = (side: "white" | "black"): HTMLInputElement =>
    h("input", {
      type: "text",
      "aria-label": t(side),
      placeholder: `${t(side)} 1:30:00`,
      pattern: "(\\d+:)?[0-5]?\\d:[0-5]\\d",
      required: true,
      inputmode: "numeric",
    });
  const [white, black] = [field("white"), field("black")];
  const make = (): Order => ({
    kind: "SetClocks",
    white_ms: msOf(white.value),
    black_ms: msOf(black.value),
  });
  return form("order.clocks", make, give, white, black);
}

function msOf(text: string): number {
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0) * 1000;
}

/** More time for one side is a penalty of the other one. */
function moreTimeForm(give: (order: Order) => void): HTMLElement {
  const side = choice("order.more_time", ["black", "white"], (value) => t(value as "black" | "white"));
  const minutes = h("input", {
    type: "number",
    "aria-label": t("order.minutes"),
    min: 1,
    value: MORE_MINUTES,
    required: true,
  });
  const make = (): Order => ({
    kind: "Penalise",
    colour: side.value === "white" ? "black" : "white",
    penalty: "more_time",
    minutes: minutes.valueAsNumber,
  });
  return form("order.more_time", make, give, side, minutes);
}

function noteForm(give: (order: Order) => void): HTMLElement {
  const text = h("input", { type: "text", "aria-label": t("order.note"), required: true });
  return form("order.note", () => ({ kind: "AddNote", text: text.value }), give, text);
}
