/** A player's line: title, name, rating, federation, clock. */

import type { Colour, Game, Player } from "./api";
import { ClockFace } from "./clock";
import { h, say } from "./dom";

/** Points of one side as a result gives them, "" while there is none. */
export function points(result: string, colour: Colour): string {
  const sides = result.split("-");
  if (sides.length !== 2) return "";
  return (sides[colour === "white" ? 0 : 1] ?? "").replace("1/2", "½");
}

export const shownResult = (result: string): string =>
  result === "*" ? "" : result.replaceAll("1/2", "½").replace("-", "–");

export class PlayerLine {
  readonly element: HTMLElement;
  readonly clock: ClockFace;
  readonly #title = h("span", { class: "title" });
  readonly #name = h("span", { class: "name" });
  readonly #rating = h("span", { class: "rating" });
  readonly #points = h("span", { class: "points" });

  constructor(readonly colour: Colour) {
    const face = h("span", { class: "clock" });
    this.clock = new ClockFace(face, colour);
    this.element = h(
      "div",
      { class: `player ${colour}` },
      h("span", { class: "side", "aria-hidden": "true" }),
      this.#title,
      this.#name,
      this.#rating,
      this.#points,
      face,
    );
  }

  show(game: Game): void {
    const player: Player = game[this.colour];
    const rest = [player.federation, player.rating === null ? "" : String(player.rating)];
    say(this.#title, player.title);
    say(this.#name, player.name);
    say(this.#rating, rest.filter(Boolean).join(" "));
    say(this.#points, points(game.result, this.colour));
    this.element.classList.toggle("won", this.#points.textContent === "1");
  }
}
