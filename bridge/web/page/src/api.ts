/** What the server says, as `openapi.yaml` beside this folder describes it. */

import { language } from "./texts";

export type Colour = "white" | "black";

export interface Player {
  name: string;
  title: string;
  rating: number | null;
  federation: string;
  team: string;
}

/** `at` is when the clock showed this, in milliseconds of the feed's time. */
export interface Clocks {
  white_ms: number;
  black_ms: number;
  running: Colour | null;
  at: number;
}

/** `fen` is the position after it; the move may be an illegal one that stands. */
export interface Ply {
  uci: string;
  san: string;
  fen: string;
  clock_ms: number | null;
  estimated: boolean;
}

export interface Game {
  table: string;
  game: number;
  board: number | null;
  white: Player;
  black: Player;
  start_fen: string;
  chess960: boolean;
  time_control: string;
  result: string;
  fen: string;
  /** How many plies there are; `plies` has them where they were asked for. */
  ply: number;
  plies?: Ply[];
  last_uci: string | null;
  last_san: string | null;
  clocks: Clocks | null;
  state: "waiting" | "playing" | "ended" | "adjourned";
  started: string | null;
}

export interface Happening {
  name: string;
  site: string;
  round: string;
  tables: string[];
}

export type Message =
  | { type: "hello"; seq: number; games: Game[] }
  | { type: "game"; seq: number; game: Game }
  | ({ type: "ply"; seq: number; table: string; ply: number; clocks: Clocks | null } & Ply)
  | { type: "clock"; seq: number; table: string; clocks: Clocks | null }
  | { type: "end"; seq: number; table: string; result: string; clocks: Clocks | null }
  | { type: "ping"; seq: number }
  | StaffMessage;

/** What only operators and arbiters are told; the facts themselves are asked for. */
export interface StaffMessage {
  type:
    | "alert"
    | "alert_cleared"
    | "board"
    | "claim"
    | "draw_offer"
    | "link"
    | "offences"
    | "provisional"
    | "ruling"
    | "ruling_refused"
    | "ruling_undone"
    | "state";
  seq: number;
  table: string;
  severity?: string;
  cells?: string;
}

export async function fetchJson<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}

export const pgnOf = (table: string): string => `/pgn/${encodeURIComponent(table)}.pgn`;
/** The scoresheet as a PDF. */
export const sheetOf = ({ table, game }: Game): string =>
  `/api/v1/games/${encodeURIComponent(table)}/${game}/sheet.pdf?language=${language}`;
export const pageOf = (table: string): string => `/board/${encodeURIComponent(table)}`;
