/** One board: the game with its moves, times and pictures. */

import "./board.css";

import { announcer } from "./announcer";
import type { Game, Ply } from "./api";
import { controlText, ticker } from "./clock";
import { Diagram } from "./diagram";
import { h, say } from "./dom";
import { announcing } from "./hall-tools";
import { type Icon, icon } from "./icons";
import { MoveList } from "./moves";
import { PlayerLine, shownResult } from "./players";
import { isStaff } from "./session";
import { sharing } from "./share";
import type { Standing } from "./standing";
import { type News, Store } from "./store";
import { t } from "./texts";
import { TimeChart } from "./time-chart";
import type { View } from "./view";
import { inWords } from "./words";

export class BoardPage implements View {
  readonly element: HTMLElement;
  readonly #store: Store;
  readonly #diagram = new Diagram({ coordinates: true });
  readonly #black = new PlayerLine("black");
  readonly #white = new PlayerLine("white");
  readonly #board = h("div", { class: "board" });
  readonly #heading = h("h1");
  readonly #state = h("p", { class: "state" });
  readonly #moves = new MoveList((ply) => this.#go(ply));
  readonly #chart = new TimeChart((ply) => this.#go(ply));
  readonly #words = h("p", { class: "words" });
  #standing: Standing | null = null;
  #closed = false;
  #game: Game | undefined;
  /** How many plies are shown; `null` follows the game. */
  #at: number | null = null;
  #stop: (() => void)[] = [];

  constructor(readonly table: string) {
    this.#store = new Store(table);
    this.#board.append(this.#black.element, this.#diagram.element, this.#white.element);
    const picture = h("section", { class: "picture" }, this.#board, this.#buttons());
    const record = h(
      "section",
      { class: "record" },
      h("nav", {}, h("a", { href: "/", "data-inside": true }, `← ${t("board.all")}`)),
      this.#heading,
      this.#state,
      this.#moves.element,
      h("h2", {}, t("board.times")),
      this.#chart.element,
      sharing(table, () => this.#picture()),
      announcing(),
      h("details", {}, h("summary", {}, t("board.in_words")), this.#words),
    );
    this.element = h("main", { class: "board-view" }, picture, record);
  }

  get title(): string {
    return this.#heading.textContent ?? "";
  }

  open(): void {
    this.#stop = [this.#store.listen((news) => this.#take(news)), ticker.add(() => this.#tick())];
    this.#take({ tables: "all" });
    if (isStaff()) void this.#compare();
  }

  /** Show what stands on the board too. */
  async #compare(): Promise<void> {
    const { Standing } = await import("./standing");
    if (this.#closed) return;
    const standing = (this.#standing = new Standing(this.table));
    this.#stop.push(this.#store.listenToStaff((message) => standing.hear(message)));
    this.#moves.element.after(standing.element);
    if (this.#game !== undefined) standing.record(toCompare(this.#game));
    await standing.load();
  }

  close(): void {
    this.#stop.forEach((stop) => stop());
    this.#store.close();
    this.#diagram.close();
    this.#closed = true;
    this.#standing?.close();
  }

  key(event: KeyboardEvent): boolean {
    const count = this.#plies().length;
    const at = this.#at ?? count;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => this.#go(at - 1),
      ArrowRight: () => this.#go(at + 1),
      Home: () => this.#go(0),
      End: () => this.#go(count),
      f: () => this.#flip(),
    };
    const act = keys[event.key];
    act?.();
    return act !== undefined;
  }

  #take(news: News): void {
    const game = this.#store.games.get(this.table);
    if (game === undefined) {
      say(this.#heading, t("board.number", { board: this.table }));
      say(this.#state, t("board.none"));
      return;
    }
    const before = this.#game;
    this.#game = game;
    if (before?.game !== game.game) this.#at = null;
    this.#white.show(game);
    this.#black.show(game);
    this.#moves.show(this.#plies());
    this.#chart.show(game);
    this.#describe(game);
    this.#standing?.record(toCompare(game));
    this.#draw();
    this.#tick();
    if (news.moved !== undefined) announcer.move(game);
    if (before?.state === "playing" && game.state === "ended") announcer.result(game);
  }

  #describe(game: Game): void {
    const board = t("board.number", { board: game.board ?? game.table });
    say(this.#heading, `${board}: ${game.white.name} – ${game.black.name}`);
    const words = [shownResult(game.result) || t(`state.${game.state}`), controlText(game.time_control)];
    say(this.#state, words.filter(Boolean).join(" · "));
  }

  #plies(): Ply[] {
    return this.#game?.plies ?? [];
  }

  #go(ply: number): void {
    const count = this.#plies().length;
    const at = Math.max(0, Math.min(ply, count));
    this.#at = at === count ? null : at;
    this.#draw();
  }

  #draw(): void {
    const game = this.#game;
    if (game === undefined) return;
    const at = this.#at ?? this.#plies().length;
    const ply = this.#plies()[at - 1];
    const fen = ply?.fen ?? game.start_fen;
    this.#diagram.show({ fen, last: ply?.uci ?? null, san: ply?.san ?? null });
    this.#moves.mark(at);
    this.#chart.mark(at);
    this.element.classList.toggle("behind", this.#at !== null);
    say(this.#words, inWords(fen));
  }

  #tick(): void {
    const game = this.#game;
    if (game === undefined) return;
    const now = this.#store.lag.now();
    for (const line of [this.#white, this.#black]) {
      line.clock.draw(game.clocks, now, game.state === "ended");
    }
  }

  #flip(): void {
    this.#diagram.flip();
    this.#board.classList.toggle("flipped");
  }

  #picture(): { fen: string; last: string | null; game: Game } | null {
    const game = this.#game;
    if (game === undefined) return null;
    const ply = this.#plies()[(this.#at ?? this.#plies().length) - 1];
    return { fen: ply?.fen ?? game.start_fen, last: ply?.uci ?? null, game };
  }

  #buttons(): HTMLElement {
    const count = (): number => this.#plies().length;
    const at = (): number => this.#at ?? count();
    const button = (drawn: Icon, name: string, keys: string, act: () => void): HTMLElement => {
      const said = { title: name, "aria-label": name, "aria-keyshortcuts": keys };
      return h("button", { type: "button", ...said, onclick: act }, icon(drawn));
    };
    return h(
      "div",
      { class: "steps", role: "group", "aria-label": t("board.steps") },
      button("first", t("board.first"), "Home", () => this.#go(0)),
      button("back", t("board.back"), "ArrowLeft", () => this.#go(at() - 1)),
      button("on", t("board.on"), "ArrowRight", () => this.#go(at() + 1)),
      button("last", t("board.last"), "End", () => this.#go(count())),
      button("flip", t("board.flip"), "f", () => this.#flip()),
      h("span", { class: "behind-note" }, t("board.behind")),
    );
  }
}

/** With which position the board has to agree: after the end men may stand anywhere. */
const toCompare = ({ state, fen }: Game): string => (state === "ended" ? "" : fen);
