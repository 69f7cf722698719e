/** The moves of a game with the times after them; each is a button that shows its position. */

import "./moves.css";

import type { Ply } from "./api";
import { clockText } from "./clock";
import { h } from "./dom";
import { numbered } from "./position";
import { t } from "./texts";

export class MoveList {
  readonly element = h("ol", { class: "moves", "aria-label": t("board.moves") });
  #buttons: HTMLButtonElement[] = [];
  #shown: Ply[] = [];
  #marked: HTMLButtonElement | undefined;

  constructor(readonly go: (ply: number) => void) {}

  show(plies: Ply[]): void {
    const known = this.#shown;
    const goesOn = known.length <= plies.length && known.every((ply, at) => ply === plies[at]);
    if (!goesOn) {
      this.element.replaceChildren();
      this.#buttons = [];
    }
    for (const ply of plies.slice(this.#buttons.length)) this.#add(ply);
    this.#shown = plies;
  }

  /** Mark the ply that is shown, and bring it into sight. */
  mark(ply: number): void {
    this.#marked?.removeAttribute("aria-current");
    this.#marked = this.#buttons[ply - 1];
    this.#marked?.setAttribute("aria-current", "true");
    const { element } = this;
    if (this.#marked === undefined) element.scrollTop = 0;
    else element.scrollTop = this.#marked.offsetTop - element.clientHeight / 2;
  }

  #add(ply: Ply): void {
    const { number, colour } = numbered(ply.fen);
    const at = this.#buttons.length + 1;
    const time = ply.clock_ms === null ? "" : `${ply.estimated ? "~" : ""}${clockText(ply.clock_ms)}`;
    const button = h(
      "button",
      { type: "button", onclick: () => this.go(at) },
      h("span", { class: "san" }, ply.san),
      h("span", { class: "time" }, time),
    );
    this.#buttons.push(button);
    const last = this.element.lastElementChild;
    if (colour === "black" && last !== null && last.getAttribute("value") === String(number)) {
      last.append(button);
      return;
    }
    const gap = colour === "black" ? [h("span", { class: "gap" }, "…")] : [];
    this.element.append(
      h("li", { value: number }, h("span", { class: "number" }, `${number}.`), ...gap, button),
    );
  }
}
