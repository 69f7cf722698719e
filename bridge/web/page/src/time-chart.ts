/** How the players used their time: what each move took, and what was left after it. */

import type { Colour, Game, Ply } from "./api";
import { clockText } from "./clock";
import { h, svg } from "./dom";
import { numbered } from "./position";
import { t } from "./texts";

const [WIDTH, HEIGHT, MIDDLE] = [600, 160, 80];

interface Used {
  /** The ply, from 1. */
  ply: number;
  colour: Colour;
  left: number;
  /** `null` where it is not known, as when a period was added. */
  used: number | null;
  text: string;
}

export class TimeChart {
  readonly element = h("div", { class: "chart" });
  readonly #mark = svg("line", { class: "mark", y1: 0, y2: HEIGHT });
  #count = 0;
  #key = "";

  constructor(readonly go: (ply: number) => void) {}

  show(game: Game): void {
    const times = timesOf(game);
    const key = JSON.stringify(times.map(({ left }) => left));
    if (key === this.#key) return;
    this.#key = key;
    this.#count = game.plies?.length ?? 0;
    if (times.length === 0) {
      this.element.replaceChildren(h("p", { class: "faint" }, t("board.no_times")));
      return;
    }
    this.element.replaceChildren(this.#draw(times), legend());
  }

  mark(ply: number): void {
    const at = this.#x(ply);
    this.#mark.setAttribute("x1", String(at));
    this.#mark.setAttribute("x2", String(at));
  }

  #x(ply: number): number {
    return ((ply - 0.5) / Math.max(this.#count, 1)) * WIDTH;
  }

  #draw(times: Used[]): SVGElement {
    const most = Math.max(...times.map(({ left }) => left), 1);
    const longest = Math.max(...times.map(({ used }) => used ?? 0), 1);
    const slot = WIDTH / Math.max(this.#count, 1);
    const bars = times.map((time) => {
      const height = ((time.used ?? 0) / longest) * (MIDDLE - 6);
      const y = time.colour === "white" ? MIDDLE - height : MIDDLE;
      const bar = svg("rect", {
        class: `bar ${time.colour}`,
        x: this.#x(time.ply) - slot * 0.45,
        y,
        width: slot * 0.9,
        height,
      });
      const field = svg("rect", {
        class: "field",
        x: (time.ply - 1) * slot,
        y: 0,
        width: slot,
        height: HEIGHT,
        onclick: () => this.go(time.ply),
      });
      field.append(svg("title", {}, time.text));
      return [bar, field];
    });
    const lines = (["white", "black"] as const).map((colour) => {
      const own = times.filter((time) => time.colour === colour);
      const points = own.map(({ ply, left }) => {
        const height = (left / most) * (MIDDLE - 6);
        return `${this.#x(ply)},${colour === "white" ? MIDDLE - height : MIDDLE + height}`;
      });
      return svg("polyline", { class: `left ${colour}`, points: points.join(" ") });
    });
    const axis = svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: MIDDLE, y2: MIDDLE });
    return svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": t("board.times_described"),
      },
      ...bars.map(([bar]) => bar as SVGElement),
      axis,
      ...lines,
      this.#mark,
      ...bars.map(([, field]) => field as SVGElement),
    );
  }
}

function legend(): HTMLElement {
  return h(
    "p",
    { class: "faint legend" },
    h("span", { class: "key bars" }, t("board.used")),
    h("span", { class: "key lines" }, t("board.left")),
  );
}

function timesOf(game: Game): Used[] {
  const { base, increment } = firstPeriod(game.time_control);
  const before: Record<Colour, number | null> = { white: base, black: base };
  return (game.plies ?? []).flatMap((ply: Ply, index) => {
    if (ply.clock_ms === null) return [];
    const { number, colour } = numbered(ply.fen);
    const previous = before[colour];
    before[colour] = ply.clock_ms;
    const used = previous === null ? null : previous + increment - ply.clock_ms;
    const known = used !== null && used >= 0 ? used : null;
    const took = known === null ? "" : ` ${clockText(known)}`;
    const text = `${number}${colour === "white" ? "." : "…"} ${ply.san}${took}`;
    return [{ ply: index + 1, colour, left: ply.clock_ms, used: known, text }];
  });
}

/** Time and increment of the first period in ms, of a time control as PGN writes it. */
function firstPeriod(control: string): { base: number | null; increment: number } {
  const found = /^(?:\d+\/)?(\d+)(?:\+(\d+))?(?::|$)/.exec(control);
  if (found === null) return { base: null, increment: 0 };
  return { base: Number(found[1]) * 1000, increment: Number(found[2] ?? 0) * 1000 };
}
