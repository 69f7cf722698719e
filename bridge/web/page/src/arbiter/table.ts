/** One table as its arbiter sees it, without an alert: what stands, what is recorded, all orders. */

import { told } from "../alert-texts";
import { type Game, fetchJson, sheetOf } from "../api";
import { Diagram } from "../diagram";
import { h, say } from "../dom";
import { cellsOf } from "../position";
import { t } from "../texts";
import type { Order, Place } from "./alerts";
import { beside, fenOfCells } from "./men";
import { ClaimView } from "./claim";
import { moreOrders } from "./more-orders";
import { give, orderText } from "./orders";

export class TablePage {
  readonly element: HTMLElement;
  readonly #heading = h("h2");
  readonly #link = h("p", { class: "faint" });
  readonly #record = new Diagram({ coordinates: true });
  readonly #stands = new Diagram({ coordinates: true });
  readonly #said = h("p", { class: "faint", role: "status" });
  readonly #print = h("p", { class: "buttons" });
  readonly #claim = new ClaimView();
  #game: Game | null = null;

  constructor(
    readonly table: string,
    readonly changed: () => void,
  ) {
    const figure = (diagram: Diagram, caption: string): HTMLElement =>
      h("figure", {}, h("figcaption", {}, caption), diagram.element);
    this.element = h(
      "article",
      { class: "case" },
      this.#heading,
      this.#link,
      this.#said,
      this.#claim.element,
      h(
        "div",
        { class: "positions" },
        figure(this.#record, t("case.record")),
        figure(this.#stands, t("case.stands")),
      ),
      this.#print,
      moreOrders(table, (order) => void this.#give(order)),
    );
  }

  async load(): Promise<void> {
    const [game, { places }] = await Promise.all([
      fetchJson<Game>(`/api/v1/games/${encodeURIComponent(this.table)}`),
      fetchJson<{ places: Place[] }>("/api/v1/places"),
    ]);
    const place = places.find(({ table }) => table === this.table);
    this.#game = game;
    const board = t("board.number", { board: game.board ?? this.table });
    say(this.#heading, `${board}: ${game.white.name} – ${game.black.name}`);
    const { state, detail = "" } = place?.link ?? {};
    const words = [detail, place?.waits_for ?? ""].filter(Boolean).flatMap((text) => [" · ", ...told(text)]);
    this.#link.replaceChildren(...(state === undefined ? [] : [t(`health.${state}`)]), ...words);
    const { cells, wrong } = beside(place?.cells ?? "", cellsOf(game.fen));
    this.#record.show({ fen: game.fen, last: game.last_uci, san: game.last_san });
    this.#stands.show({ fen: fenOfCells(cells), last: null, san: null });
    this.#record.mark(wrong);
    this.#stands.mark(wrong);
    this.#offerSheet(game);
  }

  close(): void {
    this.#record.close();
    this.#stands.close();
    this.#claim.close();
  }

  #offerSheet(game: Game): void {
    const link = h("a", { class: "button", href: sheetOf(game), target: "_blank" }, t("case.print"));
    this.#print.replaceChildren(...(game.ply > 0 ? [link] : []));
  }

  async #give(order: Order): Promise<void> {
    const game = this.#game;
    const made = await give(order, { table: this.table, game });
    if (made === null) return;
    await this.load();
    this.#claim.take(made.facts);
    say(this.#said, t("order.made", { order: orderText(order, game) }));
    this.changed();
  }
}
