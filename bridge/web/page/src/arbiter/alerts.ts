/** What the server tells arbiters; `openapi.yaml` describes it. */

import type { Colour, Game } from "../api";

export type Severity = "critical" | "warning" | "notice" | "tech" | "silent";

export interface Alert {
  id: string;
  table: string;
  game: number;
  /** Unix time in seconds. */
  wall: number;
  code: string;
  title: string;
  severity: Severity;
  text: string;
  open: boolean;
  /** The one that ended it. */
  ruling: Ruled | null;
  illegal?: boolean;
  reason?: string;
  article?: string;
  remedy?: string;
  by?: Colour;
  san_tried?: string;
  /** FEN of the position to go back to. */
  restore?: string;
  until?: string;
  count?: number;
}

/** An order as JSON; `docs/names.md` lists them. */
export interface Order {
  kind: string;
  [field: string]: unknown;
}

export interface Measure {
  text: string;
  order: Order;
}

/** An order as it was given. */
export interface Ruled {
  ruling: { by: string; order: Order; reason?: string };
}

/** One line of the audit list; `text` is what the ruling means, or why it was refused. */
export interface Entry extends Ruled {
  table: string;
  game: number;
  number: number;
  wall: number;
  state: "made" | "refused" | "undone";
  text: string;
  undone_by: number | null;
}

export interface Place {
  table: string;
  link: { state: "live" | "stale" | "lost"; detail: string } | null;
  cells: string;
  standing: string | null;
  waits_for: string;
  alerts: Alert[];
}

/** A reading of the journal: what came from the board, as it came. */
export interface Evidence {
  at: number;
  wall: number;
  payload: { kind: string; cells?: string; [field: string]: unknown };
}

export interface Case {
  alert: Alert;
  game: Game | null;
  place: Place | null;
  differs: number[];
  offences: Record<Colour, number>;
  offences_elsewhere: Record<Colour, { table: string; game: number; round: string; count: number }[]>;
  measures: Measure[];
  history: { alerts: Alert[]; rulings: Entry[] };
  evidence: Evidence[] | null;
}

export const alertPage = (id: string): string => `/arbiter/alerts/${encodeURIComponent(id)}`;
export const tablePage = (table: string): string => `/arbiter/tables/${encodeURIComponent(table)}`;
export const movesPage = (table: string): string => `${tablePage(table)}/moves`;
