/** Positions as the server tells them. Nothing is judged here, and no move is carried out. */

import type { Colour, Game } from "./api";

/** A position, with the move that led to it. */
export interface Shown {
  fen: string;
  last: string | null;
  san: string | null;
}

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

export const isLight = (square: number): boolean => (square + Math.floor(square / 8)) % 2 === 1;

/** The squares of a move, the first one being the origin; none where there is no move. */
export function squaresOf(uci: string | null): number[] {
  if (uci === null || !/^([a-h][1-8]){2}/.test(uci)) return [];
  return [uci.slice(0, 2), uci.slice(2, 4)].map((name) => name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1));
}

/** The king that a move left in check, as its letter. */
export function checkedKing({ fen, san }: Shown): string | null {
  if (san === null || !/[+#]$/.test(san)) return null;
  return fen.split(" ")[1] === "b" ? "k" : "K";
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
