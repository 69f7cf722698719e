/** Which boards of the hall are shown, and in which order. */

import type { Game } from "./api";
import type { Preferences } from "./preferences";

export interface Entry {
  table: string;
  game: Game | undefined;
  /** When a move came last, 0 where none has come while the page was open. */
  moved: number;
}

export function matches(entry: Entry, words: string, show: Preferences["show"]): boolean {
  const { game, table } = entry;
  if (show === "playing" && game?.state !== "playing") return false;
  if (show === "ended" && game?.state !== "ended") return false;
  if (words.trim() === "") return true;
  const described = [table, game?.board, game?.result];
  for (const player of [game?.white, game?.black]) {
    described.push(player?.name, player?.title, player?.federation);
  }
  const text = fold(described.join(" "));
  return fold(words)
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Without accents, so that "muller" finds "Müller". */
function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function ordered(entries: readonly Entry[], by: Preferences["order"]): Entry[] {
  const rank: Record<Preferences["order"], (entry: Entry) => number> = {
    board: () => 0,
    recent: ({ moved }) => -moved,
    time: ({ game }) => leastTime(game),
    rating: ({ game }) => -((game?.white.rating ?? 0) + (game?.black.rating ?? 0)),
  };
  return entries.toSorted((one, other) => rank[by](one) - rank[by](other));
}

function leastTime(game: Game | undefined): number {
  if (game?.clocks == null || game.state !== "playing") return Infinity;
  return Math.min(game.clocks.white_ms, game.clocks.black_ms);
}
