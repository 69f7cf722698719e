/** Orders: in words, confirmed with a reason, sent. */

import type { Colour, Game } from "../api";
import { clockText } from "../clock";
import { h, say } from "../dom";
import { written } from "../position";
import { Refused, send } from "../session";
import { type Key, t } from "../texts";
import type { Order } from "./alerts";

/** What an order is about: the game as its author sees it, and the alert that made him order. */
export interface About {
  table: string;
  game: Game | null;
  alert?: { id: string; title: string };
}

/** An order in the reader's language. */
export function orderText(order: Order, game: Game | null): string {
  const key = `order.${order.kind}` as Key;
  const colour = order["colour"] as Colour | undefined;
  return t(key, {
    ...(colour === undefined ? {} : { side: t(colour) }),
    ...(order.kind === "RestorePosition" ? { move: moveOf(order["ply"] as number, game) } : {}),
    ...(order.kind === "SetClocks" ? times(order) : {}),
    ...(Array.isArray(order["moves"]) ? { moves: order["moves"].join(" ") || "–" } : {}),
    ...Object.fromEntries(
      ["result", "minutes", "text", "ruling", "first", "count"].map((name) => [
        name,
        String(order[name] ?? ""),
      ]),
    ),
  });
}

function times(order: Order): { white: string; black: string } {
  const text = (name: string): string => clockText(order[name] as number);
  return { white: text("white_ms"), black: text("black_ms") };
}

function moveOf(ply: number, game: Game | null): string {
  const move = game?.plies?.[ply - 1];
  return move === undefined ? t("order.start") : written(move.san, move.fen);
}

/** Ask for a reason and confirm; the promise is kept when the order was made or given up. */
export function give(order: Order, about: About): Promise<boolean> {
  const reason = h("input", { type: "text", name: "reason", value: about.alert?.title ?? "" });
  reason.required = order.kind !== "AddNote";
  const said = h("p", { class: "refused", role: "alert" });
  const cancel = h("button", { type: "button" }, t("order.cancel"));
  const confirm = h("button", { type: "submit", class: "main" }, t("order.confirm"));
  const { game, table } = about;
  const players = game === null ? "" : `${game.white.name} – ${game.black.name}`;
  const form = h(
    "form",
    { method: "dialog" },
    h("h2", {}, orderText(order, game)),
    h("p", { class: "faint" }, [t("board.number", { board: game?.board ?? table }), players].join(" · ")),
    h("label", {}, h("span", {}, t("order.reason")), reason),
    said,
    h("div", { class: "buttons" }, cancel, confirm),
  );
  const dialog = h("dialog", { class: "order" }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    let made = false;
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(made);
    });
    cancel.addEventListener("click", () => dialog.close());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      confirm.disabled = true;
      void sent(order, about, reason.value).then((refused) => {
        confirm.disabled = false;
        made = refused === null;
        if (made) dialog.close();
        else say(said, refused ?? "");
      });
    });
  });
}

/** Send an order; return why it was refused, `null` if it was not. */
async function sent(order: Order, { table, game, alert }: About, reason: string): Promise<string | null> {
  const saw = game === null ? {} : { game: game.game, ply: game.ply, fen: game.fen };
  const about = alert === undefined ? {} : { alert: alert.id };
  try {
    await send(`/api/v1/tables/${encodeURIComponent(table)}/orders`, { order, reason, ...saw, ...about });
    return null;
  } catch (error) {
    return error instanceof Refused ? error.message : t("order.unsent");
  }
}
