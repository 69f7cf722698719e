/** One game to be laid over a video picture; the address says what is shown and how. */

import "./base.css";
import "./overlay.css";

import type { Colour, Game } from "./api";
import { ticker } from "./clock";
import { Diagram } from "./diagram";
import { h, say } from "./dom";
import { PlayerLine, shownResult } from "./players";
import { lastMove } from "./position";
import { Store } from "./store";
import { loadTexts } from "./texts";

const options = new URLSearchParams(location.search);
const shown = (part: string): boolean => options.get(part) !== "off";

class Overlay {
  readonly #store: Store;
  readonly #lines: Record<Colour, PlayerLine> = {
    white: new PlayerLine("white"),
    black: new PlayerLine("black"),
  };
  readonly #flags: Record<Colour, HTMLImageElement> = {
    white: h("img", { class: "flag", alt: "" }),
    black: h("img", { class: "flag", alt: "" }),
  };
  readonly #diagram: Diagram | null;
  readonly #move = h("div", { class: "last" });

  constructor(place: HTMLElement, table: string) {
    const below: Colour = options.get("side") === "black" ? "black" : "white";
    this.#diagram = shown("board")
      ? new Diagram({ coordinates: shown("coordinates"), orientation: below })
      : null;
    const above = below === "white" ? "black" : "white";
    for (const colour of ["white", "black"] as const) {
      this.#lines[colour].element.querySelector(".side")?.after(this.#flags[colour]);
    }
    place.append(this.#lines[above].element);
    if (this.#diagram) place.append(this.#diagram.element);
    place.append(this.#lines[below].element);
    if (options.get("move") === "on") place.append(this.#move);
    this.#store = new Store(table);
    this.#store.listen(() => this.#take(this.#store.games.get(table)));
    ticker.add(() => this.#tick(this.#store.games.get(table)));
  }

  #take(game: Game | undefined): void {
    if (game === undefined) return;
    for (const colour of ["white", "black"] as const) {
      this.#lines[colour].show(game);
      if (shown("flags")) void this.#flag(colour, game[colour].federation);
    }
    this.#diagram?.show({ fen: game.fen, last: game.last_uci, san: game.last_san });
    say(this.#move, [lastMove(game), shownResult(game.result)].filter(Boolean).join("  "));
    this.#tick(game);
  }

  #tick(game: Game | undefined): void {
    if (game === undefined) return;
    const now = this.#store.lag.now();
    for (const line of Object.values(this.#lines)) {
      line.clock.draw(game.clocks, now, game.state === "ended");
    }
  }

  async #flag(colour: Colour, federation: string): Promise<void> {
    const { flagOf } = await import("./federations");
    const address = flagOf(federation);
    const flag = this.#flags[colour];
    if (address === null) flag.removeAttribute("src");
    else if (flag.getAttribute("src") !== address) flag.src = address;
  }
}

document.body.dataset["theme"] = options.get("theme") === "light" ? "light" : "dark";
await loadTexts();
const scale = Number(options.get("scale") ?? 1);
if (scale > 0) document.documentElement.style.fontSize = `${16 * scale}px`;
for (const part of ["clock", "rating", "panel"]) {
  document.body.classList.toggle(`no-${part}`, !shown(part));
}
const place = document.getElementById("overlay");
const table = /^\/overlay\/([^/]+)$/.exec(location.pathname)?.[1];
if (place !== null && table !== undefined) new Overlay(place, decodeURIComponent(table));
