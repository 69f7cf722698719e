/** A board on which moves are entered; the server says which are possible. */

import { Chessground } from "@lichess-org/chessground";
import type { Api } from "@lichess-org/chessground/api";
import type { Key } from "@lichess-org/chessground/types";
import "@lichess-org/chessground/assets/chessground.base.css";
import "@lichess-org/chessground/assets/chessground.cburnett.css";
import "./diagram.css";

import { h } from "./dom";
import { cellsOf, placementOf } from "./position";

export type Destinations = Record<string, string[]>;

/** A move as two squares; `promotes`: it wants a piece behind it. */
export interface Entered {
  squares: string;
  promotes: boolean;
}

export class PlayableBoard {
  readonly element = h("div", { class: "diagram playable", "aria-hidden": "true" });
  readonly #ground: Api;
  #fen = "";

  constructor(moved: (move: Entered) => void) {
    const wrap = h("div");
    this.element.append(wrap);
    this.#ground = Chessground(wrap, {
      coordinates: true,
      drawable: { enabled: false, visible: false },
      premovable: { enabled: false },
      animation: { enabled: false },
      movable: {
        free: false,
        events: { after: (from, to) => moved({ squares: from + to, promotes: this.#promotes(from, to) }) },
      },
    });
    // Where it lies is remembered there, and what is above it may have grown since.
    const forget = (): void => this.#ground.state.dom.bounds.clear();
    for (const touch of ["mousedown", "touchstart"]) wrap.addEventListener(touch, forget, { capture: true, passive: true });
  }

  /** Show a position and what can be played from it. */
  show(fen: string, destinations: Destinations): void {
    this.#fen = fen;
    const turnColor = fen.split(" ")[1] === "b" ? "black" : "white";
    const dests = new Map(Object.entries(destinations)) as Map<Key, Key[]>;
    this.#ground.set({ fen: placementOf(fen), turnColor, lastMove: [], movable: { color: turnColor, dests } });
  }

  flip(): void {
    this.#ground.toggleOrientation();
  }

  close(): void {
    this.#ground.destroy();
    this.element.remove();
  }

  #promotes(from: string, to: string): boolean {
    const square = from.charCodeAt(0) - 97 + 8 * (Number(from[1]) - 1);
    return /p/i.test(cellsOf(this.#fen)[square] ?? "") && /[18]$/.test(to);
  }
}
