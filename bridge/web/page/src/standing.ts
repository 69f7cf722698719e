/** What stands on a board beside what is recorded, for those who may see it. */

import { type StaffMessage, fetchJson } from "./api";
import { beside, fenOfCells } from "./arbiter/men";
import { Diagram } from "./diagram";
import { h, say } from "./dom";
import { cellsOf, nameOfSquare } from "./position";
import { t } from "./texts";

const FEW = 8;

export class Standing {
  readonly element: HTMLElement;
  readonly #diagram = new Diagram({ coordinates: true, still: true });
  readonly #said = h("p", { class: "faint" });
  #cells = "";
  #fen = "";

  constructor(readonly table: string) {
    this.element = h("section", { class: "standing" }, h("h2", {}, t("case.stands")), this.#said, this.#diagram.element);
    this.element.hidden = true;
  }

  /** Ask what stands now; afterwards it is told. */
  async load(): Promise<void> {
    const { places } = await fetchJson<{ places: { table: string; cells: string }[] }>("/api/v1/places");
    const cells = places.find(({ table }) => table === this.table)?.cells ?? "";
    if (this.#cells === "") this.#take(cells);
  }

  hear(message: StaffMessage): void {
    if (message.type === "board" && message.table === this.table) this.#take(message.cells ?? "");
  }

  /** Compare with another position of the record. */
  record(fen: string): void {
    this.#fen = fen;
    this.#draw();
  }

  close(): void {
    this.#diagram.close();
  }

  #take(cells: string): void {
    this.#cells = cells;
    this.#draw();
  }

  #draw(): void {
    this.element.hidden = this.#cells.length !== 64 || this.#fen === "";
    if (this.element.hidden) return;
    const { cells, wrong } = beside(this.#cells, cellsOf(this.#fen));
    this.#diagram.show({ fen: fenOfCells(cells), last: null, san: null });
    this.#diagram.mark(wrong);
    say(this.#said, wrong.length ? inWords(wrong) : t("case.agrees"));
  }
}

function inWords(wrong: readonly number[]): string {
  if (wrong.length > FEW) return t("case.many", { count: wrong.length });
  return t("case.differ", { squares: wrong.map(nameOfSquare).join(", ") });
}
