/** All games as the stream tells them. */

import { type Game, type Happening, type Message, type StaffMessage, fetchJson } from "./api";
import { Lag } from "./clock";
import { type LinkState, Stream } from "./stream";

/** `moved`: the table whose last ply is new, for those who tell moves as they come. */
export interface News {
  tables: ReadonlySet<string> | "all";
  moved?: string;
}

type Listener = (news: News) => void;

const GATHER_MS = 1000;
const UNKNOWN: Happening = { name: "", site: "?", round: "?", tables: [] };

export class Store {
  readonly games = new Map<string, Game>();
  readonly lag = new Lag();
  readonly stream: Stream;
  happening = UNKNOWN;
  #learning: number | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #staffListeners = new Set<(message: StaffMessage) => void>();
  readonly #linkListeners = new Set<(state: LinkState) => void>();

  /** Of one table with its moves, or of all without. */
  constructor(readonly table?: string) {
    this.stream = new Stream(
      table === undefined ? { plies: "no" } : { table },
      (message) => this.#take(message),
      (state) => this.#linked(state),
    );
    if (table === undefined) void this.learn();
    else this.happening = { ...UNKNOWN, tables: [table] };
  }

  close(): void {
    window.clearTimeout(this.#learning);
    this.stream.close();
  }

  /** Call on every change, until the function that is returned is called. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  listenToStaff(listener: (message: StaffMessage) => void): () => void {
    this.#staffListeners.add(listener);
    return () => this.#staffListeners.delete(listener);
  }

  listenToLink(listener: (state: LinkState) => void): () => void {
    this.#linkListeners.add(listener);
    listener(this.stream.state);
    return () => this.#linkListeners.delete(listener);
  }

  /** Tables in board order; those where no game has begun too. */
  tables(): string[] {
    const known = new Set([...this.happening.tables, ...this.games.keys()]);
    return [...known];
  }

  #take(message: Message): void {
    const received = Date.now();
    switch (message.type) {
      case "hello":
        this.#hello(message.games);
        return;
      case "ping":
        return;
      case "game":
        this.#replace(message.game);
        if (this.table === undefined) this.#learnSoon();
        return;
      case "ply":
        this.#ply(message, received);
        return;
      case "clock":
        this.#change(message.table, received, (game) => ({ ...game, clocks: message.clocks }));
        return;
      case "end":
        this.#change(message.table, received, (game) => ({
          ...game,
          result: message.result,
          clocks: message.clocks,
          state: "ended",
        }));
        return;
      default:
        this.#staffListeners.forEach((listener) => listener(message));
    }
  }

  #hello(games: Game[]): void {
    this.lag.forget();
    this.games.clear();
    for (const game of games) {
      this.games.set(game.table, game);
      if (game.clocks?.running) this.lag.sees(game.clocks.at, Date.now());
    }
    this.#tell({ tables: "all" });
  }

  #replace(game: Game): void {
    const before = this.games.get(game.table);
    this.games.set(game.table, game);
    const grown = before?.game === game.game && game.ply === before.ply + 1;
    this.#tell({ tables: new Set([game.table]), ...(grown ? { moved: game.table } : {}) });
  }

  #ply(message: Extract<Message, { type: "ply" }>, received: number): void {
    const { table, ply, uci, san, fen, clock_ms, estimated } = message;
    const game = this.games.get(table);
    if (game === undefined || ply > game.ply + 1) {
      void this.#fetch(table);
      return;
    }
    const plies = game.plies?.toSpliced(ply - 1, 1, { uci, san, fen, clock_ms, estimated });
    const newest = ply >= game.ply ? { ply, fen, last_uci: uci, last_san: san } : {};
    const clocks = message.clocks ?? game.clocks;
    const change = { ...newest, clocks, state: "playing" as const, ...(plies && { plies }) };
    this.#change(table, received, () => ({ ...game, ...change }), ply > game.ply ? table : undefined);
  }

  #change(table: string, received: number, next: (game: Game) => Game, moved?: string): void {
    const game = this.games.get(table);
    if (game === undefined) {
      void this.#fetch(table);
      return;
    }
    const changed = next(game);
    if (changed.clocks?.running) this.lag.sees(changed.clocks.at, received);
    this.games.set(table, changed);
    this.#tell({ tables: new Set([table]), ...(moved === undefined ? {} : { moved }) });
  }

  async #fetch(table: string): Promise<void> {
    this.#replace(await fetchJson<Game>(`/api/v1/games/${encodeURIComponent(table)}`));
  }

  /** Ask which event it is, and which round. */
  async learn(): Promise<void> {
    try {
      this.happening = await fetchJson<Happening>("/api/v1/event");
      this.#tell({ tables: "all" });
    } catch {
      // The stream says that the server is away; when it is back, this is asked again.
    }
  }

  /** A whole game that is told may be one of the next round; many come together then. */
  #learnSoon(): void {
    window.clearTimeout(this.#learning);
    this.#learning = window.setTimeout(() => void this.learn(), GATHER_MS);
  }

  #linked(state: LinkState): void {
    if (state === "live" && this.happening === UNKNOWN) void this.learn();
    this.#linkListeners.forEach((listener) => listener(state));
  }

  #tell(news: News): void {
    this.#listeners.forEach((listener) => listener(news));
  }
}
