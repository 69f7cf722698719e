/** The hall: every board on one page. */

import { announcer } from "./announcer";
import { type Entry, matches, ordered } from "./choosing";
import { ticker } from "./clock";
import { h, say } from "./dom";
import { fitted } from "./fitting";
import { hallTools } from "./hall-tools";
import { preference } from "./preferences";
import type { News, Store } from "./store";
import { t } from "./texts";
import { Tile } from "./tile";
import type { View } from "./view";

const GAP_REM = 0.35; // as in hall.css
/** Boards that are drawn anew at one time: hundreds would hold the page. */
const MOST_AT_ONCE = 20;

export class Hall implements View {
  readonly element: HTMLElement;
  readonly title = "";
  readonly #grid = h("ul", { class: "hall", onkeydown: (event: KeyboardEvent) => this.#key(event) });
  readonly #count = h("p", { class: "count", role: "status" });
  readonly #tools = hallTools(() => {
    this.#arrange();
    this.#fit();
  });
  readonly #tiles = new Map<string, Tile>();
  readonly #moved = new Map<string, number>();
  readonly #seen: IntersectionObserver;
  #shown: Tile[] = [];
  /** What has come since the boards were drawn last. */
  #changed = new Set<string>();
  #new = new Set<string>();
  /** Whether that was everything anew, such as after a lost line: no news for a screen reader. */
  #anew = false;
  #stop: (() => void)[] = [];
  #scroll = 0;

  constructor(readonly store: Store) {
    const heading = h("h1", { class: "unseen" }, t("board.all"));
    this.element = h("main", { class: "hall-view" }, heading, this.#tools.element, this.#count, this.#grid);
    this.#seen = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const table = (target as HTMLElement).dataset["table"] ?? "";
        this.#tiles.get(table)?.see(isIntersecting);
      }
    });
  }

  open(): void {
    this.#stop = [
      this.store.listen((news) => this.#take(news)),
      ticker.add(() => this.#tick()),
    ];
    window.addEventListener("resize", this.#fit);
    this.#take({ tables: "all" });
    this.#draw(Infinity);
    requestAnimationFrame(() => window.scrollTo(0, this.#scroll));
  }

  close(): void {
    this.#scroll = window.scrollY;
    window.removeEventListener("resize", this.#fit);
    this.#stop.forEach((stop) => stop());
  }

  /** Keys that hold anywhere on this page. */
  key(event: KeyboardEvent): boolean {
    if (event.key !== "/") return false;
    this.#tools.search.focus();
    return true;
  }

  /** Only take down what has come: the boards are drawn together, with their clocks. */
  #take(news: News): void {
    const tables = news.tables === "all" ? this.store.tables() : news.tables;
    for (const table of tables) this.#changed.add(table);
    this.#anew ||= news.tables === "all";
    if (news.moved === undefined) return;
    this.#moved.set(news.moved, Date.now());
    this.#new.add(news.moved);
  }

  #draw(most: number): void {
    if (this.#changed.size === 0) return;
    for (const table of [...this.#changed].slice(0, most)) {
      this.#changed.delete(table);
      this.#update(table);
      if (this.#new.delete(table)) this.#note(table);
    }
    this.#anew &&= this.#changed.size > 0;
    this.#arrange();
  }

  #tick(): void {
    this.#draw(MOST_AT_ONCE);
    const now = this.store.lag.now();
    for (const tile of this.#shown) if (tile.drawn) tile.tick(now);
  }

  #update(table: string): void {
    const tile = this.#tiles.get(table) ?? this.#add(table);
    const before = tile.game;
    tile.show(this.store.games.get(table));
    const ended = before?.state === "playing" && tile.game?.state === "ended";
    if (ended && !this.#anew) announcer.result(tile.game);
  }

  #add(table: string): Tile {
    const tile = new Tile(table);
    this.#tiles.set(table, tile);
    this.#seen.observe(tile.element);
    tile.link.addEventListener("focus", () => this.#rove(tile));
    return tile;
  }

  #note(table: string): void {
    const tile = this.#tiles.get(table);
    tile?.flash();
    // Two hundred boards at once would be noise: the one that was chosen is told.
    if (tile?.game && tile.link === document.activeElement) announcer.move(tile.game);
  }

  #arrange(): void {
    const entries: Entry[] = this.store.tables().map((table) => ({
      table,
      game: this.store.games.get(table),
      moved: this.#moved.get(table) ?? 0,
    }));
    const show = preference("show") ?? "all";
    const chosen = entries.filter((entry) => matches(entry, this.#tools.search.value, show));
    const order = ordered(chosen, preference("order") ?? "board");
    const tiles = order.flatMap(({ table }) => this.#tiles.get(table) ?? []);
    if (tiles.some((tile, at) => tile !== this.#shown[at]) || tiles.length !== this.#shown.length) {
      this.#shown = tiles;
      this.#place(tiles);
      this.#fit();
    }
    const playing = entries.filter(({ game }) => game?.state === "playing").length;
    say(this.#count, t("hall.count", { shown: tiles.length, all: entries.length, playing }));
  }

  #place(tiles: Tile[]): void {
    const focused = document.activeElement;
    this.#grid.replaceChildren(...tiles.map((tile) => tile.element));
    if (focused instanceof HTMLElement && this.#grid.contains(focused)) focused.focus();
    if (!tiles.some((tile) => tile.link.tabIndex === 0)) tiles[0]?.link.setAttribute("tabindex", "0");
  }

  #rove(tile: Tile): void {
    for (const other of this.#tiles.values()) other.link.tabIndex = other === tile ? 0 : -1;
  }

  readonly #fit = (): void => {
    const size = preference("size") ?? "medium";
    this.#grid.dataset["size"] = size;
    this.#grid.classList.remove("beside");
    if (size !== "fit") return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const height = window.innerHeight - this.#grid.getBoundingClientRect().top - window.scrollY - rem;
    const room = { width: this.#grid.clientWidth, height, gap: GAP_REM * rem, rem };
    const { columns, side, letters, beside } = fitted(this.#shown.length, room);
    this.#grid.classList.toggle("beside", beside);
    this.#grid.style.setProperty("--columns", String(columns));
    this.#grid.style.setProperty("--side", `${side}px`);
    this.#grid.style.setProperty("--letters", `${letters}px`);
  };

  #key(event: KeyboardEvent): void {
    const at = this.#shown.findIndex((tile) => tile.link === document.activeElement);
    const columns = getComputedStyle(this.#grid).gridTemplateColumns.split(" ").length;
    const steps: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      Home: -at,
      End: this.#shown.length - 1 - at,
    };
    const step = steps[event.key];
    if (at < 0 || step === undefined) return;
    event.preventDefault();
    this.#shown[at + step]?.link.focus();
  }
}
