/**
 * Positions of a game whose moves were judged elsewhere.
 *
 * Moves are carried out, never judged: the server has found them legal, or says that one stands
 * that is not and gives the position after it.
 */

import type { Colour, Game } from "./api";

/** a1 b1 … h8; an empty square is "". */
export type Cells = string[];

export function cellsOf(fen: string): Cells {
  const cells: Cells = new Array<string>(64).fill("");
  (fen.split(" ")[0] ?? "").split("/").forEach((rank, row) => {
    let file = 0;
    for (const letter of rank) {
      if (letter >= "1" && letter <= "8") file += Number(letter);
      else cells[(7 - row) * 8 + file++] = letter;
    }
  });
  return cells;
}

export function placementOf(cells: Cells): string {
  const ranks: string[] = [];
  for (let row = 7; row >= 0; row--) {
    const rank = cells.slice(row * 8, row * 8 + 8).map((cell) => (cell === "" ? "1" : cell));
    ranks.push(rank.join("").replace(/1+/g, (run) => String(run.length)));
  }
  return ranks.join("/");
}

export function squareOf(name: string): number {
  return name.charCodeAt(0) - 97 + 8 * (Number(name[1]) - 1);
}

export function nameOfSquare(square: number): string {
  return `${String.fromCharCode(97 + (square % 8))}${Math.floor(square / 8) + 1}`;
}

/** Carry out a move in UCI; castling may be written as king takes rook. */
export function play(before: Cells, uci: string): Cells {
  const cells = [...before];
  const [from, to] = [squareOf(uci.slice(0, 2)), squareOf(uci.slice(2, 4))];
  const man = cells[from] ?? "";
  const white = man === man.toUpperCase();
  if (man.toLowerCase() === "k" && castles(cells, from, to)) return castled(cells, from, to);
  if (man.toLowerCase() === "p" && from % 8 !== to % 8 && cells[to] === "") {
    cells[Math.floor(from / 8) * 8 + (to % 8)] = "";
  }
  const become = uci[4];
  cells[from] = "";
  cells[to] = become === undefined ? man : white ? become.toUpperCase() : become;
  return cells;
}

function castles(cells: Cells, from: number, to: number): boolean {
  const own = cells[from] === "K" ? "R" : "r";
  return cells[to] === own || Math.abs((from % 8) - (to % 8)) > 1;
}

function castled(cells: Cells, from: number, to: number): Cells {
  const king = cells[from] ?? "";
  const rook = king === "K" ? "R" : "r";
  const [row, short] = [Math.floor(from / 8) * 8, to > from];
  const rookFrom = cells[to] === rook ? to : row + (short ? 7 : 0);
  cells[from] = "";
  cells[rookFrom] = "";
  cells[row + (short ? 6 : 2)] = king;
  cells[row + (short ? 5 : 3)] = rook;
  return cells;
}

/** The placement at the start and after each ply. */
export function placements(game: Game): string[] {
  let cells = cellsOf(game.start_fen);
  const all = [placementOf(cells)];
  for (const ply of game.plies) {
    cells = ply.fen === undefined ? play(cells, ply.uci) : cellsOf(ply.fen);
    all.push(placementOf(cells));
  }
  if (all.length > 1) all[all.length - 1] = game.fen.split(" ")[0] ?? "";
  return all;
}

/** Who moves first, and with which number. */
export function beginning(game: Game): { number: number; colour: Colour } {
  const fields = game.start_fen.split(" ");
  return { number: Number(fields[5] ?? 1), colour: fields[1] === "b" ? "black" : "white" };
}

/** Number and side of the ply with this index. */
export function numbered(game: Game, index: number): { number: number; colour: Colour } {
  const { number, colour } = beginning(game);
  const half = index + (colour === "black" ? 1 : 0);
  return { number: number + Math.floor(half / 2), colour: half % 2 === 0 ? "white" : "black" };
}

/** The last move with its number, as players write it. */
export function lastMove(game: Game): string {
  const last = game.plies.at(-1);
  if (last === undefined) return "";
  const { number, colour } = numbered(game, game.plies.length - 1);
  return `${number}${colour === "white" ? "." : "…"} ${last.san}`;
}
