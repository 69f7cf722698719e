/** A board among hundreds: a picture of the men, and squares behind it that are only style. */

import "./small-board.css";

import { h } from "./dom";
import { pictureOf } from "./placement-picture";
import { type Shown, cellsOf, checkedKing, squaresOf } from "./position";

/** How long a new size has to stay: until then the picture of before is stretched. */
const SETTLED_MS = 200;

const boards = new WeakMap<Element, SmallBoard>();
const sizes = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) boards.get(target)?.fit(contentRect.width);
});

export class SmallBoard {
  readonly element = h("div", { class: "small-board", "aria-hidden": "true" });
  #width = 0;
  #shown: Shown | null = null;
  /** How often the men were painted; what was begun before the last time comes too late. */
  #painted = 0;
  #settling: number | undefined;

  constructor() {
    boards.set(this.element, this);
    sizes.observe(this.element);
  }

  show(shown: Shown): void {
    const before = this.#shown;
    this.#shown = shown;
    if (before?.fen === shown.fen && before.last === shown.last) return;
    void this.#paint();
  }

  fit(width: number): void {
    if (width === this.#width) return;
    this.#width = width;
    window.clearTimeout(this.#settling);
    const wait = this.#painted === 0 ? 0 : SETTLED_MS;
    this.#settling = window.setTimeout(() => void this.#paint(), wait);
  }

  async #paint(): Promise<void> {
    const shown = this.#shown;
    const points = Math.round(this.#width * window.devicePixelRatio);
    if (shown === null || points === 0) return;
    const painting = ++this.#painted;
    const picture = await pictureOf(shown.fen, points);
    if (painting !== this.#painted) return;
    this.element.replaceChildren(picture);
    this.#mark(shown);
  }

  /** Mark the last move and a check behind the men. */
  #mark(shown: Shown): void {
    const checked = checkedKing(shown);
    const king = checked === null ? -1 : cellsOf(shown.fen).indexOf(checked);
    const marks: [image: string, square: number][] = king < 0 ? [] : [["var(--check)", king]];
    for (const square of squaresOf(shown.last)) marks.push(["var(--touched)", square]);
    const { style } = this.element;
    style.backgroundImage = [...marks.map(([image]) => image), "var(--squares)"].join();
    style.backgroundPosition = [...marks.map(([, square]) => placeOf(square)), "0 0"].join();
    style.backgroundSize = [...marks.map(() => "12.5% 12.5%"), "25% 25%"].join();
    style.backgroundRepeat = [...marks.map(() => "no-repeat"), "repeat"].join();
  }
}

function placeOf(square: number): string {
  return `${((square % 8) * 100) / 7}% ${((7 - Math.floor(square / 8)) * 100) / 7}%`;
}
