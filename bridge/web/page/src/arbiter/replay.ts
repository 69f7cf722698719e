/** What the board showed before an alert, reading by reading. */

import { Diagram } from "../diagram";
import { h, say } from "../dom";
import { language, t } from "../texts";
import type { Evidence } from "./alerts";
import { cellsOfBoard, fenOfCells } from "./men";

export class Replay {
  readonly element: HTMLElement;
  readonly #diagram = new Diagram({ coordinates: true });
  readonly #slider = h("input", { type: "range", min: 0, "aria-label": t("replay"), oninput: () => this.#draw() });
  readonly #said = h("p", { class: "faint", "aria-live": "polite" });
  #readings: Evidence[] = [];
  #turned = false;

  constructor() {
    this.element = h("div", { class: "replay" }, this.#diagram.element, this.#slider, this.#said);
  }

  /** Show readings, the last one first; `stands` is what stands now, in White's coordinates. */
  show(readings: readonly Evidence[], stands: string): void {
    this.#readings = readings.filter(({ payload }) => payload.cells?.length === 64);
    this.element.hidden = this.#readings.length === 0;
    if (this.element.hidden) return;
    this.#turned = isTurned(this.#readings.at(-1)?.payload.cells ?? "", stands);
    this.#slider.max = String(this.#readings.length - 1);
    this.#slider.value = this.#slider.max;
    this.#draw();
  }

  close(): void {
    this.#diagram.close();
  }

  #draw(): void {
    const reading = this.#readings[this.#slider.valueAsNumber];
    const letters = reading?.payload.cells ?? "";
    const cells = cellsOfBoard(this.#turned ? [...letters].reverse().join("") : letters);
    this.#diagram.show({ fen: fenOfCells(cells), last: null, san: null });
    if (reading === undefined) return;
    const before = (reading.at - (this.#readings.at(-1)?.at ?? reading.at)).toFixed(1);
    say(this.#said, `${new Date(reading.wall * 1000).toLocaleTimeString(language)} (${before} s)`);
  }
}

/** Boards number their squares themselves: whether this one is seen from the other seat. */
function isTurned(own: string, stands: string): boolean {
  const alike = (letters: string[]): number => letters.filter((cell, at) => cell === stands[at]).length;
  return alike([...own].reverse()) > alike([...own]);
}
