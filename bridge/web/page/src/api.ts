/** What the server says, as `openapi.yaml` beside this folder describes it. */

export type Colour = "white" | "black";

export interface Player {
  name: string;
  title: string;
  rating: number | null;
  federation: string;
}

/** `at` is when the clock showed this, in milliseconds of the feed's time. */
export interface Clocks {
  white_ms: number;
  black_ms: number;
  running: Colour | null;
  at: number;
}

/** `fen` is there only where the position does not follow from playing `uci`. */
export interface Ply {
  uci: string;
  san: string;
  clock_ms: number | null;
  estimated: boolean;
  fen?: string;
}

export interface Game {
  table: string;
  game: number;
  board: number | null;
  white: Player;
  black: Player;
  start_fen: string;
  chess960: boolean;
  time_control?: string;
  result: string;
  fen: string;
  plies: Ply[];
  last_uci: string | null;
  clocks: Clocks | null;
  state: "waiting" | "playing" | "ended" | "adjourned";
  started: string;
}

export interface Happening {
  name: string;
  site: string;
  round: string;
  tables: string[];
}

/** `now` is the feed's time in milliseconds: behind the real one where the public is delayed. */
export type Message =
  | { type: "hello"; seq: number; games: Game[]; now?: number }
  | { type: "game"; seq: number; game: Game }
  | ({ type: "ply"; seq: number; table: string; ply: number; fen: string; clocks: Clocks | null } & Ply)
  | { type: "clock"; seq: number; table: string; clocks: Clocks | null }
  | { type: "end"; seq: number; table: string; result: string }
  | { type: "ping"; now?: number };

export async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

export const pgnOf = (table: string): string => `/pgn/${encodeURIComponent(table)}.pgn`;
export const pageOf = (table: string): string => `/board/${encodeURIComponent(table)}`;
