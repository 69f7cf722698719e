/** What a pawn becomes. */

import { choose } from "../asking";
import { h } from "../dom";
import { t } from "../texts";

const PIECES = { q: "man.queen", r: "man.rook", b: "man.bishop", n: "man.knight" } as const;

/** Ask; the promise is kept with the piece's letter, or with `null` if the move is given up. */
export async function askPromotion(): Promise<string | null> {
  const pieces = Object.entries(PIECES).map(([letter, name]) => [letter, t(name)]);
  return (await choose(h("h2", {}, t("moves.promotion")), Object.fromEntries(pieces))) || null;
}
