/** What the board and the clock showed before an alert, reading by reading. */

import { clockText } from "../clock";
import { Diagram } from "../diagram";
import { h, say } from "../dom";
import { language, t } from "../texts";
import type { Evidence } from "./alerts";
import { cellsOfBoard, fenOfCells } from "./men";

/** The longest rest between two readings that is played. */
const LONGEST_MS = 2000;

/** A snapshot with the reading of the clock that was the latest then. */
interface Moment {
  reading: Evidence;
  clock: Evidence | undefined;
}

export class Replay {
  readonly element: HTMLElement;
  readonly #diagram = new Diagram({ coordinates: true, still: true });
  readonly #slider = h("input", { type: "range", min: 0, "aria-label": t("replay"), oninput: () => this.#draw() });
  readonly #play = h("button", { type: "button", onclick: () => this.#playOn() }, t("replay.play"));
  readonly #said = h("p", { class: "faint", "aria-live": "polite" });
  #moments: Moment[] = [];
  #turned = false;
  #timer: number | undefined;

  constructor() {
    const step = (by: number, name: string): HTMLElement =>
      h("button", { type: "button", onclick: () => this.#step(by) }, name);
    this.element = h(
      "div",
      { class: "replay" },
      this.#diagram.element,
      this.#slider,
      h("div", { class: "buttons" }, step(-1, t("replay.back")), this.#play, step(1, t("replay.on"))),
      this.#said,
    );
  }

  /** Show readings, the last one last; `stands` is what stands now, in White's coordinates. */
  show(readings: readonly Evidence[], stands: string): void {
    const moments = momentsOf(readings);
    const same = moments.length === this.#moments.length && moments.at(-1)?.reading.at === this.#moments.at(-1)?.reading.at;
    if (same && moments.length > 0) return; // it may be played
    this.#moments = moments;
    this.element.hidden = moments.length === 0;
    if (this.element.hidden) return;
    this.#turned = isTurned(moments.at(-1)?.reading.payload.cells ?? "", stands);
    this.#slider.max = String(moments.length - 1);
    this.#slider.value = this.#slider.max;
    this.#draw();
  }

  close(): void {
    this.#pause();
    this.#diagram.close();
  }

  #step(by: number): void {
    this.#pause();
    this.#slider.valueAsNumber += by;
    this.#draw();
  }

  /** Play from where it is, from the beginning where that is the end; or stop. */
  #playOn(): void {
    if (this.#timer !== undefined) {
      this.#pause();
      return;
    }
    if (this.#slider.value === this.#slider.max) this.#slider.valueAsNumber = 0;
    say(this.#play, t("replay.pause"));
    this.#draw();
    this.#next();
  }

  #next(): void {
    const at = this.#slider.valueAsNumber;
    const [now, next] = [this.#moments[at], this.#moments[at + 1]];
    if (now === undefined || next === undefined) {
      this.#pause();
      return;
    }
    const rest = (next.reading.at - now.reading.at) * 1000;
    this.#timer = window.setTimeout(
      () => {
        this.#slider.valueAsNumber = at + 1;
        this.#draw();
        this.#next();
      },
      Math.min(rest, LONGEST_MS),
    );
  }

  #pause(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    say(this.#play, t("replay.play"));
  }

  #draw(): void {
    const at = this.#slider.valueAsNumber;
    const moment = this.#moments[at];
    if (moment === undefined) return;
    const { reading, clock } = moment;
    const cells = this.#cells(reading);
    const before = this.#cells(this.#moments[at - 1]?.reading ?? reading);
    this.#diagram.show({ fen: fenOfCells(cells), last: null, san: null });
    this.#diagram.mark(cells.flatMap((cell, square) => (cell === before[square] ? [] : [square])));
    const ago = (reading.at - (this.#moments.at(-1)?.reading.at ?? reading.at)).toFixed(1);
    const when = `${new Date(reading.wall * 1000).toLocaleTimeString(language)} (${ago} s)`;
    say(this.#said, [when, clock === undefined ? "" : clockOf(clock)].filter(Boolean).join(" · "));
  }

  #cells({ payload }: Evidence): string[] {
    const letters = payload.cells ?? "";
    return cellsOfBoard(this.#turned ? [...letters].reverse().join("") : letters);
  }
}

function momentsOf(readings: readonly Evidence[]): Moment[] {
  let clock: Evidence | undefined;
  return readings.flatMap((reading) => {
    if (reading.payload.kind === "ClockReading") clock = reading;
    return reading.payload.cells?.length === 64 ? [{ reading, clock }] : [];
  });
}

/** Both times as the clock shows them from its front, with the one that ran. */
function clockOf({ payload }: Evidence): string {
  const time = (side: "left" | "right"): string => {
    const ms = payload[`${side}_ms`];
    const runs = payload["running"] === true && payload["turn"] === side;
    return `${typeof ms === "number" ? clockText(ms) : "–"}${runs ? " ◂" : ""}`;
  };
  return t("replay.clock", { left: time("left"), right: time("right") });
}

/** Boards number their squares themselves: whether this one is seen from the other seat. */
function isTurned(own: string, stands: string): boolean {
  const alike = (letters: string[]): number => letters.filter((cell, at) => cell === stands[at]).length;
  return alike([...own].reverse()) > alike([...own]);
}
