/** Which board stands at which table: a king is lifted, boards are exchanged or looked for. */

import { type StaffMessage, fetchJson } from "../api";
import { h, say } from "../dom";
import { send } from "../session";
import type { Store } from "../store";
import { t } from "../texts";
import { panel, reasonOf } from "./panel";

/** e1 and e8, a1 being 0. */
const KINGS = [4, 60];

type Board = Record<string, string>;

interface Found {
  address: string;
  driver: string;
  serial: string;
  units: string[];
  remark: string;
  board: Board;
}

export class SeatingPanel {
  readonly element: HTMLElement;
  readonly #seen = h("p", { class: "seen", role: "status" });
  readonly #one = h("select", { "aria-label": t("seating.one") });
  readonly #other = h("select", { "aria-label": t("seating.other") });
  readonly #found = h("ul", { class: "found" });
  readonly #look = h("button", { type: "button", onclick: () => void this.#discover() }, t("seating.look"));
  readonly #said = h("p", { class: "faint", role: "status" });
  readonly #wrong = h("p", { class: "refused", role: "alert" });
  readonly #cells = new Map<string, string>();
  #boards: Record<string, Board> = {};
  #stop = (): void => {};

  constructor(readonly store: Store) {
    const exchange = (event: SubmitEvent): void => {
      event.preventDefault();
      void this.#exchange();
    };
    this.element = panel(
      t("seating"),
      [
        h("p", {}, t("seating.lift")),
        this.#seen,
        h(
          "form",
          { onsubmit: exchange },
          h(
            "fieldset",
            {},
            h("legend", {}, t("seating.exchange")),
            this.#one,
            this.#other,
            h("button", { type: "submit" }, t("order.do")),
          ),
        ),
        h("div", { class: "buttons" }, this.#look),
        this.#found,
        this.#said,
        this.#wrong,
      ],
      { opened: () => void this.#open(), closed: () => this.close() },
    );
  }

  close(): void {
    this.#stop();
  }

  async #open(): Promise<void> {
    this.#stop();
    this.#stop = this.store.listenToStaff((message) => this.#hear(message));
    const [{ boards }, { places }] = await Promise.all([
      fetchJson<{ boards: Record<string, Board> }>("/api/v1/boards"),
      fetchJson<{ places: { table: string; cells: string }[] }>("/api/v1/places"),
    ]);
    this.#boards = boards;
    for (const { table, cells } of places) this.#cells.set(table, cells);
    for (const select of [this.#one, this.#other]) select.replaceChildren(...optionsOf(Object.keys(boards)));
    this.#other.selectedIndex = Math.min(1, this.#other.length - 1);
  }

  /** A king that has gone from a board tells which table that board has. */
  #hear({ type, table, cells = "" }: StaffMessage): void {
    if (type !== "board") return;
    const before = this.#cells.get(table) ?? "";
    this.#cells.set(table, cells);
    if (cells.length !== 64 || !isKingLifted(before, cells)) return;
    say(this.#seen, t("seating.seen", { table }));
    if (this.#other.value === table) this.#other.value = this.#one.value;
    this.#one.value = table;
  }

  async #exchange(): Promise<void> {
    const [one, other] = [this.#one.value, this.#other.value];
    const [first, second] = [this.#boards[one], this.#boards[other]];
    if (one !== other && first && second) await this.#give({ [one]: second, [other]: first });
  }

  async #give(boards: Record<string, Board>): Promise<void> {
    say(this.#wrong, "");
    try {
      const { waits } = await send<{ waits: string[] }>("/api/v1/boards", { boards });
      say(this.#said, waits.length ? t("seating.restart", { what: waits.join(" · ") }) : t("case.nothing"));
      await this.#open();
    } catch (error) {
      say(this.#wrong, reasonOf(error));
    }
  }

  async #discover(): Promise<void> {
    say(this.#wrong, "");
    say(this.#said, t("seating.looking"));
    this.#look.disabled = true;
    try {
      const { found } = await send<{ found: Found[] }>("/api/v1/discovery", {});
      this.#found.replaceChildren(...found.map((each) => this.#line(each)));
      say(this.#said, t("seating.answers", { count: found.filter(({ driver }) => driver).length, all: found.length }));
    } catch (error) {
      say(this.#wrong, reasonOf(error));
    } finally {
      this.#look.disabled = false;
    }
  }

  #line({ address, driver, serial, units, remark, board }: Found): HTMLLIElement {
    const facts = [serial, units.join(", "), remark].filter(Boolean).join(" · ");
    const line = h("li", {}, h("strong", {}, [driver, address].filter(Boolean).join(" ")), h("span", { class: "faint" }, facts));
    if (Object.keys(board).length === 0) return line;
    const table = h("select", { "aria-label": t("seating.table", { board: address }) }, ...optionsOf(Object.keys(this.#boards)));
    const give = (): void => void this.#give({ [table.value]: board });
    line.append(h("span", { class: "buttons" }, table, h("button", { type: "button", onclick: give }, t("seating.give"))));
    return line;
  }
}

/**
 * Whether a king has been lifted between two states of a board, of 64 letters each.
 *
 * On boards that do not name their men, only the start position tells where kings are.
 */
function isKingLifted(before: string, now: string): boolean {
  if (/[Kk]/.test(before)) return ["K", "k"].some((king) => before.includes(king) && !now.includes(king));
  const isSetUp = [...before].every((cell, square) => (cell === ".") === (square >= 16 && square < 48));
  return isSetUp && KINGS.some((square) => now[square] === ".");
}

function optionsOf(tables: readonly string[]): HTMLOptionElement[] {
  return tables.map((table) => h("option", { value: table }, t("board.number", { board: table })));
}
