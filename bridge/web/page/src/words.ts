/** A position in words, for those who do not see the board. */

import { cellsOf, nameOfSquare } from "./position";
import { type Key, t } from "./texts";

const ORDER: readonly [string, Key][] = [
  ["k", "man.king"],
  ["q", "man.queen"],
  ["r", "man.rook"],
  ["b", "man.bishop"],
  ["n", "man.knight"],
  ["p", "man.pawn"],
];

export function inWords(fen: string): string {
  const cells = cellsOf(fen);
  const side = (name: Key, own: (letter: string) => string): string => {
    const men = ORDER.flatMap(([letter, man]) => {
      const squares = cells.flatMap((cell, at) => (cell === own(letter) ? nameOfSquare(at) : []));
      return squares.length ? [`${t(man)} ${squares.join(" ")}`] : [];
    });
    return `${t(name)}: ${men.join(", ")}.`;
  };
  const turn = t(fen.split(" ")[1] === "b" ? "words.black_moves" : "words.white_moves");
  const white = side("white", (letter) => letter.toUpperCase());
  return `${white} ${side("black", (letter) => letter)} ${turn}`;
}
