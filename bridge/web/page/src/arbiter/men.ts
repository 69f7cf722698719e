/** What has to be moved so that one placement becomes another, in words. */

import { type Cells, nameOfSquare } from "../position";
import { type Key, t } from "../texts";

const MEN: Record<string, Key> = {
  k: "man.king",
  q: "man.queen",
  r: "man.rook",
  b: "man.bishop",
  n: "man.knight",
  p: "man.pawn",
};

/** The 64 letters of a board as cells; what it cannot name or read is "". */
export function cellsOfBoard(letters: string): Cells {
  return [...letters].map((letter) => (MEN[letter.toLowerCase()] === undefined ? "" : letter));
}

/** Whether a square that shows *letter*, as far as its board can tell, may hold *man*. */
function mayHold(letter: string, man: string): boolean {
  switch (letter) {
    case "*":
      return true;
    case "?":
      return man !== "";
    case "W":
      return /[A-Z]/.test(man);
    case "w":
      return /[a-z]/.test(man);
    default:
      return (letter === "." ? "" : letter) === man;
  }
}

/**
 * What stands as far as it is known, and the squares on which that is not as recorded.
 *
 * A square that its board cannot name shows the man that is recorded there, if it may hold it.
 */
export function beside(letters: string, record: Cells): { cells: Cells; wrong: number[] } {
  const fits = [...letters].map((letter, at) => mayHold(letter, record[at] ?? ""));
  const cells = cellsOfBoard(letters).map((cell, at) => (fits[at] ? (record[at] ?? "") : cell));
  return { cells, wrong: fits.flatMap((fit, at) => (fit ? [] : [at])) };
}

export function fenOfCells(cells: Cells): string {
  const ranks = [7, 6, 5, 4, 3, 2, 1, 0].map((row) => {
    const rank = cells.slice(row * 8, row * 8 + 8).map((cell) => cell || "1");
    return rank.join("").replace(/1+/g, (run) => String(run.length));
  });
  return ranks.join("/");
}

/** Return the steps from what stands to what is wanted: moves first, then what is left over. */
export function stepsBack(stands: Cells, wanted: Cells): string[] {
  const differing = stands.flatMap((cell, at) => (cell === wanted[at] ? [] : [at]));
  const missing = differing.filter((at) => wanted[at] !== "");
  const surplus = differing.filter((at) => stands[at] !== "");
  const moves: string[] = [];
  for (const to of [...missing]) {
    const from = surplus.find((at) => stands[at] === wanted[to]);
    if (from === undefined) continue;
    surplus.splice(surplus.indexOf(from), 1);
    missing.splice(missing.indexOf(to), 1);
    moves.push(`${name(wanted[to])}: ${nameOfSquare(from)} → ${nameOfSquare(to)}`);
  }
  const off = surplus.map((at) => t("men.off", { man: name(stands[at]), square: nameOfSquare(at) }));
  const on = missing.map((at) => t("men.on", { man: name(wanted[at]), square: nameOfSquare(at) }));
  return [...off, ...moves, ...on];
}

function name(letter = ""): string {
  const man = MEN[letter.toLowerCase()];
  if (man === undefined) return "?";
  return `${t(letter === letter.toUpperCase() ? "white" : "black")}, ${t(man)}`;
}
