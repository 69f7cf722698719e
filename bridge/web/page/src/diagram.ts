/** A board that shows a position and is not played on. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./diagram.css";

import type { Colour } from "./api";
import { h } from "./dom";
import { type Shown, checkedKing, nameOfSquare, placementOf, squaresOf } from "./position";

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export class Diagram {
  readonly element = h("div", { class: "diagram", "aria-hidden": "true" });
  readonly #ground: Api;

  constructor(options: { coordinates: boolean; orientation?: Colour; still?: boolean }) {
    const wrap = h("div");
    this.element.append(wrap);
    this.#ground = Chessground(wrap, {
      viewOnly: true,
      coordinates: options.coordinates,
      orientation: options.orientation ?? "white",
      drawable: { enabled: false, visible: false },
      animation: { enabled: !(calm.matches || options.still), duration: 180 },
      disableContextMenu: false,
    });
  }

  show(shown: Shown): void {
    const turnColor = shown.fen.split(" ")[1] === "b" ? "black" : "white";
    this.#ground.set({
      fen: placementOf(shown.fen),
      lastMove: squaresOf(shown.last).map((square) => nameOfSquare(square) as Key),
      turnColor,
      check: checkedKing(shown) === null ? false : turnColor,
    });
  }

  get orientation(): Colour {
    return this.#ground.state.orientation;
  }

  flip(): void {
    this.#ground.toggleOrientation();
  }

  /** Mark squares, such as those on which two positions differ. */
  mark(squares: Iterable<number>): void {
    const custom = new Map([...squares].map((square) => [nameOfSquare(square) as Key, "differs"]));
    this.#ground.set({ highlight: { custom } });
  }

  close(): void {
    this.#ground.destroy();
    this.element.remove();
  }
}
