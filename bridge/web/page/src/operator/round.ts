/** The round: how far it is, its start, and the next one. */

import { fetchJson, pageOf } from "../api";
import { h, say } from "../dom";
import { send, session } from "../session";
import type { Store } from "../store";
import { t } from "../texts";
import { panel, reasonOf, sure } from "./panel";

const FEW = 12;

export class RoundPanel {
  readonly element: HTMLElement;
  readonly #games = h("p", { role: "status" });
  readonly #playing = h("ul", { class: "tables" });
  readonly #group = h("select", { "aria-label": t("round.group"), onchange: () => this.#offer() });
  readonly #next = h("input", { type: "text", "aria-label": t("round.number"), maxlength: 30, required: true });
  readonly #pairings = h("select", { "aria-label": t("round.pairings") });
  readonly #said = h("p", { class: "faint", role: "status" });
  readonly #wrong = h("p", { class: "refused", role: "alert" });
  #rounds: Record<string, string> = {};
  readonly #stop: () => void;

  constructor(readonly store: Store) {
    const next = (event: SubmitEvent): void => {
      event.preventDefault();
      void this.#begin();
    };
    this.element = panel(
      t("round.title"),
      [
        this.#games,
        this.#playing,
        ...(session?.role === "arbiter" ? [this.#starting()] : []),
        h(
          "form",
          { onsubmit: next },
          h("fieldset", {}, h("legend", {}, t("round.next")), this.#group, this.#next, this.#pairings, h("button", { type: "submit" }, t("round.begin"))),
        ),
        this.#said,
        this.#wrong,
      ],
      { opened: () => void this.#load() },
    );
    this.#stop = store.listen(() => this.#count());
    this.#count();
  }

  close(): void {
    this.#stop();
  }

  #count(): void {
    const games = [...this.store.games.values()];
    const count = (state: string): number => games.filter((game) => game.state === state).length;
    const [waiting, playing, ended] = [count("waiting"), count("playing") + count("adjourned"), count("ended")];
    say(this.#games, t("round.games", { waiting, playing, ended }));
    const open = games.filter(({ state }) => state === "playing" || state === "adjourned");
    const links = open.slice(0, FEW).map(({ table }) => h("li", {}, h("a", { href: pageOf(table), "data-inside": true }, table)));
    this.#playing.replaceChildren(...links, ...(open.length > FEW ? [h("li", {}, "…")] : []));
  }

  async #load(): Promise<void> {
    const { rounds, files } = await fetchJson<{ rounds: Record<string, string>; files: string[] }>("/api/v1/round");
    this.#rounds = rounds;
    const same = h("option", { value: "" }, t("round.same_pairings"));
    this.#pairings.replaceChildren(same, ...files.map((name) => h("option", { value: name }, name)));
    this.#pairings.hidden = files.length === 0;
    const options = Object.entries(this.#rounds).map(([group, round]) =>
      h("option", { value: group }, `${group || t("round.event")}: ${t("round", { round })}`),
    );
    this.#group.replaceChildren(...options);
    this.#group.hidden = options.length === 1;
    this.#offer();
  }

  #offer(): void {
    const round = Number(this.#rounds[this.#group.value]);
    this.#next.value = Number.isInteger(round) ? String(round + 1) : "";
  }

  async #begin(): Promise<void> {
    const round = this.#next.value.trim();
    const playing = [...this.store.games.values()].filter(({ state }) => state === "playing").length;
    const still = playing ? ` ${t("round.still", { count: playing })}` : "";
    if (!(await sure(`${t("round.sure", { round })}${still}`))) return;
    say(this.#wrong, "");
    try {
      const body = { round, group: this.#group.value, pairings: this.#pairings.value || null };
      const { waits } = await send<{ waits: string[] }>("/api/v1/round", body);
      say(this.#said, [t("round.begun", { round }), ...waits].join(" · "));
      await Promise.all([this.#load(), this.store.learn()]);
    } catch (error) {
      say(this.#wrong, reasonOf(error));
    }
  }

  /** When the round begins, ordered at every table. */
  #starting(): HTMLElement {
    const at = h("input", { type: "datetime-local", "aria-label": t("round.starts"), required: true });
    const now = new Date();
    at.value = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    const start = async (event: SubmitEvent): Promise<void> => {
      event.preventDefault();
      const starts = new Date(at.value).getTime() / 1000;
      if (await sure(t("round.start_sure", { time: at.value.replace("T", " ") }))) await this.#start(starts);
    };
    return h(
      "form",
      { onsubmit: (event: SubmitEvent) => void start(event) },
      h("fieldset", {}, h("legend", {}, t("round.starts")), at, h("button", { type: "submit" }, t("order.do"))),
    );
  }

  async #start(starts: number): Promise<void> {
    const body = { order: { kind: "ScheduleStart", starts }, reason: t("round.starts") };
    const refused: string[] = [];
    say(this.#wrong, "");
    for (const table of this.store.tables()) {
      try {
        await send(`/api/v1/tables/${encodeURIComponent(table)}/orders`, body);
      } catch (error) {
        refused.push(`${t("board.number", { board: table })}: ${reasonOf(error)}`);
      }
    }
    say(this.#said, t("round.started", { count: this.store.tables().length - refused.length }));
    say(this.#wrong, refused.join("\n"));
  }
}
