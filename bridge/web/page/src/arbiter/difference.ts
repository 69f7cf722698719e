/** What a correction changes, beside what it was. */

import type { Ply } from "../api";
import { h } from "../dom";
import { written } from "../position";
import { t } from "../texts";

/** In place of `count` plies after ply `from`, as many as `entered` were put. */
export interface Change {
  from: number;
  count: number;
  entered: number;
}

type Pair = [Ply | undefined, Ply | undefined];

/** Say which plies become others; those that only follow and stay are counted. */
export function difference(was: readonly Ply[], becomes: readonly Ply[], change: Change): HTMLElement {
  const pairs = pairsOf(was, becomes, change);
  const changed = pairs.filter(([one, other]) => one?.san !== other?.san);
  if (changed.length === 0) return h("p", { class: "faint" }, t("case.nothing"));
  const head = ["moves.was", "moves.becomes"] as const;
  const stay = pairs.length - changed.length;
  return h(
    "div",
    {},
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ...head.map((key) => h("th", { scope: "col" }, t(key))))),
      h("tbody", {}, ...changed.map(row)),
    ),
    ...(stay ? [h("p", { class: "faint" }, t("moves.stay", { count: stay }))] : []),
  );
}

/** Plies beside those in their place: what is entered beside what it replaces, the rest in order. */
function pairsOf(was: readonly Ply[], becomes: readonly Ply[], { from, count, entered }: Change): Pair[] {
  const [replaced, following] = [was.slice(from, from + count), was.slice(from + count)];
  const [put, again] = [becomes.slice(from, from + entered), becomes.slice(from + entered)];
  return [...beside(replaced, put), ...beside(following, again)];
}

function beside(one: readonly Ply[], other: readonly Ply[]): Pair[] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, at) => [one[at], other[at]]);
}

function row([was, becomes]: Pair): HTMLTableRowElement {
  return h("tr", {}, h("td", {}, cell("del", was)), h("td", {}, cell("ins", becomes)));
}

function cell(tag: "del" | "ins", ply: Ply | undefined): HTMLElement | string {
  return ply === undefined ? "–" : h(tag, {}, written(ply.san, ply.fen));
}
