/** Orders that no alert suggests: result, clocks, penalties, claims, notes. */

import { h } from "../dom";
import { type Key, t } from "../texts";
import { type Order, movesPage } from "./alerts";
import { type Give, choice, form, number, of, side, text } from "./forms";

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
/** Those of 12.9. */
const PENALTIES = [
  "more_time",
  "less_time",
  "warning",
  "more_points",
  "fewer_points",
  "loss",
  "fine",
  "rounds",
  "expulsion",
] as const;
/** Of 7.5.5; blitz has one minute. */
const MORE_MINUTES = 2;

/** `give` is called with the order; the moves of the table are corrected on a page of their own. */
export function moreOrders(table: string, give: Give): HTMLElement {
  return h(
    "div",
    { class: "more-orders" },
    resultForm(give),
    clockForm(give),
    penaltyForm(give),
    claimForm(give),
    h(
      "div",
      { class: "buttons" },
      plain("Adjourn", give),
      plain("Resume", give),
      plain("LetStand", give),
      h("a", { class: "button", href: movesPage(table), "data-inside": true }, t("order.correct")),
    ),
    offerForm(give),
    presenceForm(give),
    scoresheetForm(give),
    h("div", { class: "buttons" }, plain("NoteReversedColours", give)),
    noteForm(give),
  );
}

function plain(kind: string, give: Give): HTMLElement {
  return h("button", { type: "button", onclick: () => give({ kind }) }, t(`order.${kind}` as Key));
}

function resultForm(give: Give): HTMLElement {
  const result = choice("order.result", RESULTS, (value) => (value === "*" ? t("order.no_result") : value));
  const because = choice("order.because", CAUSES, of("because"));
  const make = (): Order => ({ kind: "SetResult", result: result.value, because: because.value });
  return form("order.result", make, give, result, because);
}

function clockForm(give: Give): HTMLElement {
  const field = (colour: "white" | "black"): HTMLInputElement =>
    h("input", {
      type: "text",
      "aria-label": t(colour),
      placeholder: `${t(colour)} 1:30:00`,
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

function penaltyForm(give: Give): HTMLElement {
  const player = side("order.penalty");
  const penalty = choice("order.penalty", PENALTIES, of("penalty"));
  const amount = number("order.amount", 0, MORE_MINUTES);
  amount.step = "0.5";
  const result = choice("order.result", ["1-0", "0-1", "0-0"], (value) => value);
  const show = (): void => {
    amount.hidden = !/time|points/.test(penalty.value);
    result.hidden = penalty.value !== "loss";
  };
  penalty.addEventListener("change", show);
  show();
  const make = (): Order => ({
    kind: "Penalise",
    colour: player.value,
    penalty: penalty.value,
    ...(/time/.test(penalty.value) ? { minutes: Math.round(amount.valueAsNumber) } : {}),
    ...(/points/.test(penalty.value) ? { points: amount.valueAsNumber } : {}),
    ...(penalty.value === "loss" ? { result: result.value } : {}),
  });
  return form("order.penalty", make, give, player, penalty, amount, result);
}

function claimForm(give: Give): HTMLElement {
  const claimant = side("order.claim");
  const on = choice("order.claim", ["threefold", "moves"], of("claim"));
  const announced = text("claim.announced");
  const make = (): Order => ({
    kind: "ClaimDraw",
    claimant: claimant.value,
    on: on.value,
    ...(announced.value.trim() ? { announced: announced.value.trim() } : {}),
  });
  return form("order.claim", make, give, claimant, on, announced);
}

function offerForm(give: Give): HTMLElement {
  const player = side("order.offer");
  const moment = choice("order.offer", ["with_move", "before_moving", "opponents_time"], of("offer"));
  const make = (): Order => ({ kind: "NoteDrawOffer", colour: player.value, moment: moment.value });
  return form("order.offer", make, give, player, moment);
}

function presenceForm(give: Give): HTMLElement {
  const player = side("order.presence");
  const present = choice("order.presence", ["yes", "no"], of("presence"));
  const make = (): Order => ({ kind: "NotePresence", colour: player.value, present: present.value === "yes" });
  return form("order.presence", make, give, player, present);
}

function scoresheetForm(give: Give): HTMLElement {
  const player = side("order.scoresheet");
  const ply = number("order.ply", 1, 1);
  const move = text("order.written", { required: true });
  const make = (): Order => ({
    kind: "CompareScoresheet",
    colour: player.value,
    ply: ply.valueAsNumber,
    move: move.value.trim(),
  });
  return form("order.scoresheet", make, give, player, ply, move);
}

function noteForm(give: Give): HTMLElement {
  const note = text("order.note", { required: true });
  return form("order.note", () => ({ kind: "AddNote", text: note.value }), give, note);
}
