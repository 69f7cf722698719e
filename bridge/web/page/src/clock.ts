/** Clocks that run between two readings. */

import type { Clocks, Colour } from "./api";

const SHORT_MS = 60_000;

/**
 * How far the feed's time is behind this machine's.
 *
 * That is the delay of the public, and what the two machines' clocks differ by. No news can come
 * before it is made, so the smallest difference that was seen is the nearest to the truth.
 */
export class Lag {
  #least = Infinity;

  sees(feedTime: number, received: number): void {
    this.#least = Math.min(this.#least, received - feedTime);
  }

  /** Forget what was seen: after a pause the machine's clock may have been set. */
  forget(): void {
    this.#least = Infinity;
  }

  /** The feed's time now. */
  now(): number {
    return Date.now() - (Number.isFinite(this.#least) ? this.#least : 0);
  }
}

export function remaining(clocks: Clocks, colour: Colour, now: number): number {
  const shown = colour === "white" ? clocks.white_ms : clocks.black_ms;
  const gone = clocks.running === colour ? Math.max(0, now - clocks.at) : 0;
  return Math.max(0, shown - gone);
}

/** A second that has begun is shown, as clocks do: a reading stays for one second. */
export function clockText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = String(s).padStart(2, "0");
  return h > 0 ? `${h}:${String(m).padStart(2, "0")}:${tail}` : `${m}:${tail}`;
}

/** A time control of PGN in words: "5400+30:1800" is "90 min + 30 s, 30 min". */
export function controlText(control: string): string {
  const fields = control.split(":").map((field) => {
    const found = /^(\d+\/)?(\d+)(?:\+(\d+))?$/.exec(field);
    if (found === null) return field;
    const [, moves = "", seconds, increment] = found;
    const tail = increment === undefined ? "" : ` + ${increment} s`;
    return `${moves}${Number(seconds) / 60} min${tail}`;
  });
  return fields.join(", ").replace(/^[?-]$/, "");
}

/** Draws one clock into an element, and touches the page only when something differs. */
export class ClockFace {
  #text = "";

  constructor(
    readonly element: HTMLElement,
    readonly colour: Colour,
  ) {}

  draw(clocks: Clocks | null, now: number, over: boolean): void {
    const ms = clocks === null ? null : remaining(clocks, this.colour, now);
    const running = !over && clocks?.running === this.colour;
    const text = ms === null ? "" : clockText(ms);
    if (text !== this.#text) {
      this.#text = text;
      this.element.textContent = text;
    }
    this.element.classList.toggle("running", running);
    this.element.classList.toggle("short", ms !== null && ms < SHORT_MS && !over);
  }
}

/** Calls all who asked ten times each second, while the page is seen. */
class Ticker {
  readonly #calls = new Set<() => void>();

  constructor() {
    window.setInterval(() => {
      if (!document.hidden) window.requestAnimationFrame(() => this.#calls.forEach((call) => call()));
    }, 100);
  }

  add(call: () => void): () => void {
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }
}

export const ticker = new Ticker();
