/** A board among hundreds: one element whose men are pictures behind it, cheap to draw again. */

import "./small-board.css";

import { h } from "./dom";
import { menImages } from "./men-images";
import { type Shown, cellsOf, checkedKing, squaresOf } from "./position";

let pictures: ReadonlyMap<string, string> | null = null;

export class SmallBoard {
  readonly element = h("div", { class: "small-board", "aria-hidden": "true" });
  #shown: Shown | null = null;

  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    if (before?.fen === shown.fen && before.last === shown.last) return;
    const layers = layersOf(shown);
    const { style } = this.element;
    style.backgroundImage = [...layers.map(([image]) => image), "var(--squares)"].join();
    style.backgroundPosition = [...layers.map(([, square]) => placeOf(square)), "0 0"].join();
    style.backgroundSize = [...layers.map(() => "12.5% 12.5%"), "25% 25%"].join();
    style.backgroundRepeat = [...layers.map(() => "no-repeat"), "repeat"].join();
  }
}

/** Pictures and their squares, the uppermost first. */
function layersOf(shown: Shown): [image: string, square: number][] {
  const men = (pictures ??= addresses());
  const layers: [string, number][] = [];
  const checked = checkedKing(shown);
  cellsOf(shown.fen).forEach((cell, square) => {
    const man = men.get(cell);
    if (man !== undefined) layers.push([`url(${man})`, square]);
    if (cell !== "" && cell === checked) layers.push(["var(--check)", square]);
  });
  for (const square of squaresOf(shown.last)) layers.push(["var(--touched)", square]);
  return layers;
}

function placeOf(square: number): string {
  return `${((square % 8) * 100) / 7}% ${((7 - Math.floor(square / 8)) * 100) / 7}%`;
}

/** Short addresses, for each is named hundreds of times. */
function addresses(): Map<string, string> {
  const short = (address: string): string => {
    const drawing = atob(address.slice(address.indexOf(",") + 1));
    return URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  };
  return new Map([...menImages()].map(([letter, address]) => [letter, short(address)]));
}
