/** A board that shows a position and is not played on. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./diagram.css";

import type { Colour } from "./api";
import { h } from "./dom";
import { nameOfSquare, squareOf } from "./position";

const calm = window.matchMedia("(prefers-reduced-motion: reduce)");

export interface Shown {
  fen: string;
  last: string | null;
  /** Whose king is in check. */
  check?: Colour | undefined;
}

export class Diagram {
  readonly element = h("div", { class: "diagram", "aria-hidden": "true" });
  readonly #ground: Api;

  constructor(options: { coordinates: boolean; orientation?: Colour }) {
    const wrap = h("div");
    this.element.append(wrap);
    this.#ground = Chessground(wrap, {
      viewOnly: true,
      coordinates: options.coordinates,
      orientation: options.orientation ?? "white",
      drawable: { enabled: false, visible: false },
      animation: { enabled: !calm.matches, duration: 180 },
      disableContextMenu: false,
    });
  }

  show({ fen, last, check }: Shown): void {
    this.#ground.set({
      fen: fen.split(" ")[0] ?? "",
      lastMove: last === null ? [] : squaresOf(last),
      check: check ?? false,
      turnColor: check ?? "white",
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

  /** Measure again: the element has another size, or has come onto the page. */
  measure(): void {
    this.#ground.redrawAll();
  }

  close(): void {
    this.#ground.destroy();
    this.element.remove();
  }
}

function squaresOf(uci: string): Key[] {
  const names = [uci.slice(0, 2), uci.slice(2, 4)];
  return names.every((name) => squareOf(name) >= 0) ? (names as Key[]) : [];
}

/** Whose king a move attacks, by its notation. */
export function checked(san: string | undefined, mover: Colour): Colour | undefined {
  if (san === undefined || !/[+#]$/.test(san)) return undefined;
  return mover === "white" ? "black" : "white";
}
