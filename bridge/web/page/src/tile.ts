/** One board of the hall. */

import { type Game, pageOf } from "./api";
import { h, say } from "./dom";
import { PlayerLine, shownResult } from "./players";
import { lastMove } from "./position";
import { SmallBoard } from "./small-board";
import { t } from "./texts";

const SHOWN_NEW_MS = 1500;

export class Tile {
  readonly element: HTMLLIElement;
  readonly link: HTMLAnchorElement;
  readonly #place = h("div", { class: "place" });
  readonly #move = h("span", { class: "move" });
  readonly #result = h("span", { class: "result" });
  readonly #black = new PlayerLine("black");
  readonly #white = new PlayerLine("white");
  #drawing: SmallBoard | null = null;
  #game: Game | undefined;
  #calm: number | undefined;

  constructor(readonly table: string) {
    this.link = h("a", { href: pageOf(table), tabindex: -1, "data-inside": true });
    this.element = h(
      "li",
      { class: "tile", "data-table": table },
      h("div", { class: "head" }, this.link, this.#move, this.#result),
      this.#black.element,
      this.#place,
      this.#white.element,
    );
    this.show(undefined);
  }

  get game(): Game | undefined {
    return this.#game;
  }

  /** Whether the board is in view and so is drawn. */
  get drawn(): boolean {
    return this.#drawing !== null;
  }

  show(game: Game | undefined): void {
    this.#game = game;
    this.element.classList.toggle("ended", game?.state === "ended");
    this.element.classList.toggle("waiting", game === undefined || game.state === "waiting");
    const board = String(game?.board ?? this.table);
    this.link.dataset["board"] = board;
    say(this.link, t("board.number", { board }));
    if (game === undefined) return;
    this.link.setAttribute(
      "aria-label",
      `${this.link.textContent}: ${game.white.name} – ${game.black.name}`,
    );
    this.#white.show(game);
    this.#black.show(game);
    say(this.#move, lastMove(game));
    say(this.#result, shownResult(game.result));
    this.#draw();
  }

  tick(now: number): void {
    if (this.#game === undefined) return;
    const { clocks, state } = this.#game;
    this.#white.clock.draw(clocks, now, state === "ended");
    this.#black.clock.draw(clocks, now, state === "ended");
  }

  /** Draw the board while it is in view, and only then. */
  see(seen: boolean): void {
    if (seen && this.#drawing === null) {
      this.#drawing = new SmallBoard();
      this.#place.append(this.#drawing.element);
      this.#draw();
    } else if (!seen && this.#drawing !== null) {
      this.#drawing.element.remove();
      this.#drawing = null;
    }
  }

  /** Let the eye find a new move. */
  flash(): void {
    window.clearTimeout(this.#calm);
    this.element.classList.add("new");
    this.#calm = window.setTimeout(() => this.element.classList.remove("new"), SHOWN_NEW_MS);
  }

  #draw(): void {
    const game = this.#game;
    if (this.#drawing === null || game === undefined) return;
    this.#drawing.show({ fen: game.fen, last: game.last_uci, san: game.last_san });
  }
}
