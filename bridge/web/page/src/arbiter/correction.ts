/** Correcting the moves of a game: back to a ply, the right moves on the board, the difference. */

import { type Game, type Ply, fetchJson } from "../api";
import { h, say } from "../dom";
import { MoveList } from "../moves";
import { type Destinations, type Entered, PlayableBoard } from "../playable";
import { written } from "../position";
import { t } from "../texts";
import { type Order, tablePage } from "./alerts";
import { difference } from "./difference";
import { give, orderText } from "./orders";
import { askPromotion } from "./promotion";

/** What the server says of a correction that is tried. */
interface Tried {
  plies: Ply[];
  /** Those that were entered, in SAN. */
  moves: string[];
  fen: string;
  destinations: Destinations;
  breaks: { ply: number; san: string } | null;
}

export class CorrectionPage {
  readonly element: HTMLElement;
  readonly #heading = h("h2");
  readonly #board = new PlayableBoard((move) => void this.#enter(move));
  readonly #turn = h("p", { class: "faint", "aria-live": "polite" });
  readonly #list = new MoveList((ply) => void this.#goBack(ply));
  readonly #field = h("input", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": t("moves.enter"), placeholder: t("moves.enter") });
  readonly #count = h("input", { type: "number", min: 0, "aria-label": t("moves.replaces"), oninput: () => void this.#recount() });
  readonly #rest = h("select", { "aria-label": t("order.rest"), onchange: () => void this.#try() });
  readonly #changes = h("div", { class: "difference", role: "region", "aria-label": t("moves.difference"), tabindex: 0 });
  readonly #wrong = h("p", { class: "refused", role: "alert" });
  readonly #said = h("p", { class: "faint", role: "status" });
  readonly #send = h("button", { type: "button", class: "main", disabled: true, onclick: () => void this.#order() }, t("order.do"));
  #game: Game | null = null;
  /** How many plies stay as they are before the moves that are entered. */
  #from = 0;
  #moves: string[] = [];
  /** How many plies they replace; `null` is as many. */
  #replaced: number | null = null;
  #tried: Tried | null = null;

  constructor(
    readonly table: string,
    readonly changed: () => void,
  ) {
    for (const value of ["keep", "drop"] as const) {
      this.#rest.append(h("option", { value }, t(`order.rest.${value}`)));
    }
    const act = (name: string, click: () => void): HTMLElement => h("button", { type: "button", onclick: click }, name);
    this.element = h(
      "article",
      { class: "case correction" },
      h("p", {}, h("a", { href: tablePage(table), "data-inside": true }, `← ${t("board.number", { board: table })}`)),
      this.#heading,
      h("p", {}, t("moves.how")),
      h(
        "div",
        { class: "correcting" },
        h(
          "div",
          {},
          this.#board.element,
          this.#turn,
          h(
            "div",
            { class: "buttons" },
            act(t("board.first"), () => void this.#goBack(0)),
            act(t("moves.back"), () => void this.#takeBack()),
            act(t("board.flip"), () => this.#board.flip()),
          ),
          this.#typing(),
        ),
        h(
          "div",
          {},
          this.#list.element,
          h("h3", {}, t("moves.difference")),
          this.#changes,
          this.#wrong,
          h("label", {}, h("span", {}, t("moves.replaces")), this.#count),
          h("label", {}, h("span", {}, t("order.rest")), this.#rest),
          h("div", { class: "buttons" }, this.#send),
          this.#said,
        ),
      ),
    );
  }

  /** Take the game as it is now; what is being entered stays if its place is still there. */
  async load(): Promise<void> {
    const game = await fetchJson<Game>(`/api/v1/games/${encodeURIComponent(this.table)}`);
    const known = this.#game;
    if (known !== null && known.game === game.game && known.fen === game.fen && known.ply === game.ply) return;
    const followed = known === null || known.game !== game.game || this.#from === known.ply;
    this.#game = game;
    const board = t("board.number", { board: game.board ?? this.table });
    say(this.#heading, `${t("order.correct")} · ${board}: ${game.white.name} – ${game.black.name}`);
    this.#list.show(game.plies ?? []);
    if ((followed && this.#moves.length === 0) || this.#from > game.ply) await this.#goBack(game.ply);
    else await this.#try();
  }

  close(): void {
    this.#board.close();
  }

  /** The same for those who do not use the board. */
  #typing(): HTMLElement {
    const enter = (event: SubmitEvent): void => {
      event.preventDefault();
      const moves = this.#field.value.split(/\s+/).filter(Boolean);
      this.#field.value = "";
      void this.#add(...moves);
    };
    return h("form", { class: "buttons", onsubmit: enter }, this.#field, h("button", { type: "submit" }, t("moves.add")));
  }

  async #enter({ squares, promotes }: Entered): Promise<void> {
    const piece = promotes ? await askPromotion() : "";
    if (piece === null) this.#draw();
    else await this.#add(squares + piece);
  }

  async #add(...moves: string[]): Promise<void> {
    const before = this.#moves;
    this.#moves = [...before, ...moves];
    if (await this.#try()) return;
    this.#moves = before;
    await this.#try();
    say(this.#wrong, t("moves.impossible", { moves: moves.join(" ") }));
  }

  async #takeBack(): Promise<void> {
    this.#moves = this.#moves.slice(0, -1);
    await this.#try();
  }

  async #goBack(ply: number): Promise<void> {
    this.#from = ply;
    this.#moves = [];
    this.#replaced = null;
    this.#list.mark(ply);
    await this.#try();
  }

  async #recount(): Promise<void> {
    this.#replaced = Number.isInteger(this.#count.valueAsNumber) ? this.#count.valueAsNumber : null;
    await this.#try();
  }

  /** How many plies are replaced. */
  get #replaces(): number {
    const most = (this.#game?.ply ?? 0) - this.#from;
    return Math.min(Math.max(0, this.#replaced ?? this.#moves.length), most);
  }

  #asOrder(): Order {
    const moves = this.#tried?.moves ?? [];
    return { kind: "CorrectMoves", first: this.#from + 1, count: this.#replaces, moves, rest: this.#rest.value };
  }

  /** Ask what would become of the game; say whether that can be. */
  async #try(): Promise<boolean> {
    const game = this.#game;
    if (game === null || game.game === 0) return true;
    const query = new URLSearchParams({
      first: String(this.#from + 1),
      count: String(this.#replaces),
      moves: this.#moves.join(" "),
      rest: this.#rest.value,
    });
    try {
      const path = `/api/v1/games/${encodeURIComponent(this.table)}/${game.game}/correction?${query}`;
      this.#tried = await fetchJson<Tried>(path);
    } catch {
      return false;
    }
    this.#draw();
    return true;
  }

  #draw(): void {
    const [tried, game] = [this.#tried, this.#game];
    if (tried === null || game === null) return;
    this.#board.show(tried.fen, tried.destinations);
    say(this.#turn, [tried.moves.join(" "), t(tried.fen.split(" ")[1] === "b" ? "words.black_moves" : "words.white_moves")].filter(Boolean).join(" · "));
    this.#count.value = String(this.#replaces);
    const was = game.plies ?? [];
    const change = { from: this.#from, count: this.#replaces, entered: this.#moves.length };
    this.#changes.replaceChildren(difference(was, tried.plies, change));
    const broken = tried.breaks === null ? undefined : was[tried.breaks.ply - 1];
    say(this.#wrong, broken === undefined ? "" : t("moves.broken", { move: written(broken.san, broken.fen) }));
    const same = was.length === tried.plies.length && was.every(({ uci }, at) => uci === tried.plies[at]?.uci);
    this.#send.disabled = same || tried.breaks !== null;
  }

  async #order(): Promise<void> {
    const [order, game] = [this.#asOrder(), this.#game];
    if (!(await give(order, { table: this.table, game }))) return;
    say(this.#said, t("order.made", { order: orderText(order, game) }));
    this.#moves = [];
    this.#rest.value = "keep";
    this.#from = game?.ply ?? 0;
    await this.load();
    this.changed();
  }
}
