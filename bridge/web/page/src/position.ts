/** Positions as the server tells them. Nothing is judged here, and no move is carried out. */

import type { Colour, Game } from "./api";

/** a1 b1 … h8; an empty square is "". */
export type Cells = string[];

export function cellsOf(fen: string): Cells {
  const cells: Cells = new Array<string>(64).fill("");
  placementOf(fen)
    .split("/")
    .forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (letter >= "1" && letter <= "8") file += Number(letter);
        else cells[(7 - row) * 8 + file++] = letter;
      }
    });
  return cells;
}

export const placementOf = (fen: string): string => fen.split(" ")[0] ?? "";

export function nameOfSquare(square: number): string {
  return `${String.fromCharCode(97 + (square % 8))}${Math.floor(square / 8) + 1}`;
}

/** Number and side of the move that led to a position. */
export function numbered(fenAfter: string): { number: number; colour: Colour } {
  const [, turn, , , , next] = fenAfter.split(" ");
  const colour = turn === "b" ? "white" : "black";
  return { number: Number(next ?? 1) - (colour === "black" ? 1 : 0), colour };
}

/** A move with its number, as players write it. */
export function written(san: string, fenAfter: string): string {
  const { number, colour } = numbered(fenAfter);
  return `${number}${colour === "white" ? "." : "…"} ${san}`;
}

export const lastMove = (game: Game): string =>
  game.last_san === null ? "" : written(game.last_san, game.fen);
