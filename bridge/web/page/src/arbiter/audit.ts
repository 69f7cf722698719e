/** The audit list: who ordered what, why, and what became of it. */

import { told } from "../alert-texts";
import { type Game, fetchJson } from "../api";
import { h } from "../dom";
import { language, t } from "../texts";
import type { Entry, Order } from "./alerts";
import { give, orderText } from "./orders";

export class AuditPage {
  readonly element = h("section", { class: "audit" });
  readonly #list = h("ul", { class: "history" });

  constructor() {
    this.element.append(h("h2", {}, t("audit")), this.#list);
  }

  async load(): Promise<void> {
    const { entries } = await fetchJson<{ entries: Entry[] }>("/api/v1/audit");
    const lines = entries.map((entry) => {
      const line = entryLine(entry, null);
      if (entry.state === "made" && entry.ruling.order.kind !== "Undo") line.append(this.#undo(entry));
      return line;
    });
    const none = h("li", { class: "faint" }, t("case.nothing"));
    this.#list.replaceChildren(...(lines.length ? lines : [none]));
  }

  close(): void {
    this.element.remove();
  }

  #undo(entry: Entry): HTMLElement {
    const order: Order = { kind: "Undo", ruling: entry.number };
    const act = async (): Promise<void> => {
      if (await give(order, { table: entry.table, game: null })) await this.load();
    };
    return h("button", { type: "button", onclick: () => void act() }, t("audit.undo"));
  }
}

export function entryLine(entry: Entry, game: Game | null): HTMLLIElement {
  const { by, order, reason } = entry.ruling;
  const when = new Date(entry.wall * 1000).toLocaleTimeString(language);
  const board = t("board.number", { board: entry.table });
  return h(
    "li",
    { class: `entry ${entry.state}` },
    h("span", { class: "faint" }, `${when} · ${board} · ${t("audit.number", { number: entry.number })}`),
    h("strong", {}, orderText(order, game)),
    h("span", {}, [by, reason].filter(Boolean).join(": ")),
    h("span", { class: "faint" }, `${t(`audit.${entry.state}`)}: `, ...told(entry.text)),
  );
}
