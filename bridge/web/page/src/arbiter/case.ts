/** One alert: what happened, what stands, and what can be done about it. */

import { titleOf, told, whyIllegal } from "../alert-texts";
import { type Colour, type Game, fetchJson, sheetOf } from "../api";
import { clockText, remaining } from "../clock";
import { Diagram } from "../diagram";
import { h, say } from "../dom";
import { cellsOf, nameOfSquare } from "../position";
import type { Store } from "../store";
import { language, t } from "../texts";
import { type Case, type Measure, alertPage } from "./alerts";
import { entryLine } from "./audit";
import { ClaimView } from "./claim";
import { beside, fenOfCells, stepsBack } from "./men";
import { moreOrders } from "./more-orders";
import { give, orderText, ruledText } from "./orders";
import { Replay } from "./replay";

const FIRST_FILES = 8;

export class CasePage {
  readonly element: HTMLElement;
  readonly #head = h("div", { class: "case-head" });
  readonly #wanted = new Diagram({ coordinates: true });
  readonly #stands = new Diagram({ coordinates: true });
  readonly #steps = h("ul", { class: "steps-back" });
  readonly #right = h("div", {}, h("h3", {}, t("case.steps")), this.#steps);
  readonly #clocks = h("p", { class: "clocks" });
  readonly #offences = h("p");
  readonly #elsewhere = h("ul", { class: "elsewhere" });
  readonly #measures = h("div", { class: "measures", role: "group", "aria-label": t("case.measures") });
  readonly #history = h("ul", { class: "history" });
  readonly #claim = new ClaimView();
  readonly #print = h("a", { class: "button", target: "_blank", hidden: true }, t("case.print"));
  readonly #replay = new Replay();
  readonly #replayFold = h("details", {}, h("summary", {}, t("replay")), this.#replay.element);
  readonly #said = h("p", { class: "faint", role: "status" });
  #case: Case | null = null;

  constructor(
    readonly id: string,
    readonly store: Store,
    readonly changed: () => void,
  ) {
    const figure = (diagram: Diagram, caption: string): HTMLElement =>
      h("figure", {}, h("figcaption", {}, caption), diagram.element);
    this.element = h(
      "article",
      { class: "case" },
      this.#head,
      h("div", { class: "measures-place" }, this.#measures, this.#said),
      this.#claim.element,
      h(
        "div",
        { class: "positions" },
        figure(this.#wanted, t("case.wanted")),
        figure(this.#stands, t("case.stands")),
        h("div", {}, this.#right, this.#clocks, this.#offences, this.#elsewhere),
      ),
      this.#replayFold,
      h("details", {}, h("summary", {}, t("order.more")), moreOrders(this.table, (order) => void this.#give({ text: "", order }))),
      h("p", { class: "buttons" }, this.#print),
      h("h3", {}, t("case.history")),
      this.#history,
    );
  }

  /** Ask for everything anew and show it. */
  async load(): Promise<void> {
    const found = await fetchJson<Case>(`/api/v1/alerts/${encodeURIComponent(this.id)}`);
    this.#case = found;
    this.#describe(found);
    this.#place(found);
    this.#offer(found);
    this.#recall(found);
  }

  get table(): string {
    return this.id.slice(0, this.id.lastIndexOf(":"));
  }

  close(): void {
    this.#wanted.close();
    this.#stands.close();
    this.#replay.close();
    this.#claim.close();
  }

  #describe({ alert, game }: Case): void {
    const when = new Date(alert.wall * 1000).toLocaleTimeString(language);
    const board = t("board.number", { board: game?.board ?? alert.table });
    const players = game === null ? "" : `${game.white.name} – ${game.black.name}`;
    const why = alert.reason === undefined ? "" : whyIllegal(alert.reason);
    const rule = [alert.article, why].filter(Boolean).join(" · ");
    const { by, san_tried } = alert;
    const tried = by === undefined || !san_tried ? [] : [h("p", {}, t("case.tried", { side: t(by), move: san_tried }))];
    this.#head.replaceChildren(
      h("p", { class: "faint" }, [board, players, when].filter(Boolean).join(" · ")),
      h("h2", {}, h("span", { class: `badge ${alert.severity}` }, t(`severity.${alert.severity}`)), titleOf(alert)),
      h("p", { class: "told" }, ...told(alert.text)),
      ...tried,
      ...(rule ? [h("p", {}, t("case.article", { article: rule }))] : []),
      ...(alert.remedy ? [h("p", { class: "remedy" }, ...told(alert.remedy))] : []),
    );
  }

  #place({ alert, game, place, differs }: Case): void {
    const wanted = alert.restore ?? game?.fen ?? "";
    const goal = cellsOf(wanted);
    const { cells, wrong: found } = beside(place?.cells ?? "", goal);
    this.#wanted.show({ fen: wanted, last: null, san: null });
    this.#stands.show({ fen: fenOfCells(cells), last: null, san: null });
    const known = place !== null && place.cells.length === 64;
    // After the end men may stand anywhere, unless it is about just that.
    const asked = game?.state !== "ended" || (alert.open && alert.restore !== undefined);
    const wrong = !asked ? [] : known ? found : differs;
    this.#right.hidden = !asked;
    this.#wanted.mark(wrong);
    this.#stands.mark(wrong);
    const steps = known ? stepsBack(cells, goal) : differs.map(nameOfSquare);
    const shown = steps.length > FIRST_FILES ? [t("case.many", { count: wrong.length })] : steps;
    this.#steps.replaceChildren(
      ...(shown.length ? shown : [t("case.agrees")]).map((step) => h("li", {}, step)),
    );
  }

  #offer({ alert, game, measures, offences, offences_elsewhere }: Case): void {
    const name = (measure: Measure): string => orderText(measure.order, game);
    this.#measures.replaceChildren(
      ...measures.map((measure, at) =>
        h(
          "button",
          { type: "button", class: at === 0 ? "main" : "", onclick: () => void this.#give(measure) },
          name(measure),
        ),
      ),
    );
    const ended = alert.ruling === null ? t("case.closed") : ruledText(alert.ruling, game);
    say(this.#said, alert.open ? "" : ended);
    const count = (side: Colour): string => `${t(side)} ${offences[side]}`;
    say(this.#offences, `${t("case.offences")}: ${count("white")}, ${count("black")}`);
    this.#elsewhere.replaceChildren(...(["white", "black"] as const).flatMap((side) => before(side, offences_elsewhere)));
    this.#print.hidden = (game?.ply ?? 0) === 0;
    if (game !== null) this.#print.href = sheetOf(game);
    this.tick();
  }

  /** Let the clocks run. */
  tick(): void {
    const clocks = (this.store.games.get(this.table) ?? this.#case?.game)?.clocks;
    if (clocks == null) return;
    const now = this.store.lag.now();
    const shows = (side: Colour): string => `${t(side)} ${clockText(remaining(clocks, side, now))}`;
    say(this.#clocks, `${shows("white")} · ${shows("black")}`);
  }

  #recall({ history, evidence, place, game }: Case): void {
    this.#history.replaceChildren(
      ...history.rulings.map((entry) => entryLine(entry, game)),
      ...history.alerts.map((alert) =>
        h("li", {}, h("a", { href: alertPage(alert.id), "data-inside": true }, titleOf(alert)), " ", ...told(alert.text)),
      ),
    );
    if (this.#history.childElementCount === 0) {
      this.#history.append(h("li", { class: "faint" }, t("case.nothing")));
    }
    this.#replay.show(evidence ?? [], place?.cells ?? "");
  }

  async #give(measure: Measure): Promise<void> {
    const shown = this.#case;
    if (shown === null) return;
    const { alert } = shown;
    const game: Game | null = shown.game;
    const made = await give(measure.order, { table: alert.table, game, alert: { id: alert.id, title: titleOf(alert) } });
    if (made === null) return;
    await this.load();
    this.#claim.take(made.facts);
    say(this.#said, t("order.made", { order: orderText(measure.order, game) }));
    this.changed();
  }
}

/** What is confirmed against a player in other games. */
function before(side: Colour, found: Case["offences_elsewhere"]): HTMLElement[] {
  return found[side].map(({ table, round, count }) => {
    const where = [round ? t("round", { round }) : "", t("board.number", { board: table })].filter(Boolean).join(", ");
    return h("li", {}, t("case.elsewhere", { side: t(side), count, where }));
  });
}
