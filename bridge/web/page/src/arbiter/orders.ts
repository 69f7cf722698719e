/** Orders: in words, confirmed with a reason, sent. */

import { toldText } from "../alert-texts";
import type { Colour, Game } from "../api";
import { ask } from "../asking";
import { clockText } from "../clock";
import { h, say } from "../dom";
import { written } from "../position";
import { Refused, send } from "../session";
import { type Key, t } from "../texts";
import type { Order, Ruled } from "./alerts";

/** What an order is about: the game as its author sees it, and the alert that made him order. */
export interface About {
  table: string;
  game: Game | null;
  alert?: { id: string; title: string };
}

/** A fact of `docs/names.md` that follows from an order. */
export interface Fact {
  fact: string;
  [field: string]: unknown;
}

/** An order that was carried out. */
export interface Made {
  number: number;
  text: string;
  facts: Fact[];
}

/** An order in the reader's language. */
export function orderText(order: Order, game: Game | null): string {
  const key = `order.${order.kind}` as Key;
  const colour = (order["colour"] ?? order["claimant"]) as Colour | undefined;
  return t(key, {
    ...(colour === undefined ? {} : { side: t(colour) }),
    ...(order.kind === "Penalise" ? { penalty: penaltyOf(order) } : {}),
    ...(order.kind === "NotePresence" ? { presence: t(order["present"] === false ? "presence.no" : "presence.yes") } : {}),
    ...(order.kind === "SetClocks" ? times(order) : {}),
    ...(Array.isArray(order["moves"]) ? { moves: order["moves"].join(" ") || "–" } : {}),
    ...Object.fromEntries(
      ["result", "text", "ruling", "first", "count", "ply", "move"]
        .filter((name) => order[name] !== undefined)
        .map((name) => [name, String(order[name])]),
    ),
    ...(order.kind === "RestorePosition" ? { move: moveOf(order["ply"] as number, game) } : {}),
  });
}

function penaltyOf(order: Order): string {
  const kind = t(`penalty.${order["penalty"] as string}` as Key);
  const amount = order["minutes"] === undefined ? order["points"] : `${order["minutes"]} min`;
  return [kind, amount ?? order["result"]].filter((part) => part !== undefined).join(", ");
}

function times(order: Order): { white: string; black: string } {
  const text = (name: string): string => clockText(order[name] as number);
  return { white: text("white_ms"), black: text("black_ms") };
}

function moveOf(ply: number, game: Game | null): string {
  const move = game?.plies?.[ply - 1];
  return move === undefined ? t("order.start") : written(move.san, move.fen);
}

/** Ask for a reason and confirm; the promise is kept with what came of it, `null` if it was given up. */
export async function give(order: Order, about: About): Promise<Made | null> {
  const reason = h("input", { type: "text", name: "reason", value: about.alert?.title ?? "" });
  reason.required = order.kind !== "AddNote";
  const said = h("p", { class: "refused", role: "alert" });
  const cancel = h("button", { type: "button" }, t("order.cancel"));
  const confirm = h("button", { type: "submit", class: "main" }, t("order.confirm"));
  const { game, table } = about;
  const players = game === null ? "" : `${game.white.name} – ${game.black.name}`;
  const form = h(
    "form",
    {},
    h("h2", {}, orderText(order, game)),
    h("p", { class: "faint" }, [t("board.number", { board: game?.board ?? table }), players].join(" · ")),
    h("label", {}, h("span", {}, t("order.reason")), reason),
    said,
    h("div", { class: "buttons" }, cancel, confirm),
  );
  let made: Made | null = null;
  const close = (): void => form.closest("dialog")?.close();
  cancel.addEventListener("click", close);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    confirm.disabled = true;
    void sent(order, about, reason.value)
      .then((answer) => {
        made = answer;
        close();
      })
      .catch((error: unknown) => say(said, refusal(error, about)))
      .finally(() => (confirm.disabled = false));
  });
  await ask(form);
  return made;
}

function sent(order: Order, { table, game, alert }: About, reason: string): Promise<Made> {
  const saw = game === null ? {} : { game: game.game, ply: game.ply, fen: game.fen };
  const about = alert === undefined ? {} : { alert: alert.id };
  return send<Made>(`/api/v1/tables/${encodeURIComponent(table)}/orders`, { order, reason, ...saw, ...about });
}

/** Why an order was not carried out: what another arbiter did in the reader's language. */
function refusal(error: unknown, { game }: About): string {
  if (!(error instanceof Refused)) return t("order.unsent");
  const { ruling } = error.said as { ruling?: Ruled };
  return ruling === undefined ? toldText(error.message) : ruledText(ruling, game);
}

/** What an arbiter ordered, and why. */
export function ruledText({ ruling }: Ruled, game: Game | null): string {
  const { by, order, reason = "" } = ruling;
  return t("order.other", { by, order: orderText(order, game), reason: reason && `: ${reason}` });
}
