/** A claim of a draw, checked: what the record says of it, move by move. */

import { told } from "../alert-texts";
import { Diagram } from "../diagram";
import { h } from "../dom";
import { written } from "../position";
import { t } from "../texts";
import type { Fact } from "./orders";

interface Step {
  ply: number;
  san: string;
  halfmoves: number;
  /** Which time the position claimed for stands; 0 for another one. */
  occurrence: number;
  fen: string;
}

interface Checked extends Fact {
  verdict: "right" | "wrong" | "incomplete";
  reason: string;
  steps: Step[];
  touched: boolean;
}

export class ClaimView {
  readonly element = h("section", { class: "claim", "aria-label": t("claim.steps") });
  readonly #diagram = new Diagram({ coordinates: true, still: true });
  readonly #verdict = h("p", { class: "remedy" });
  readonly #steps = h("ol", { class: "claim-steps" });

  constructor() {
    this.element.hidden = true;
    this.element.append(
      h("h3", {}, t("claim.steps")),
      this.#verdict,
      h("div", { class: "positions" }, this.#diagram.element, this.#steps),
    );
  }

  /** Show what follows from an order, if it was a claim. */
  take(facts: readonly Fact[]): void {
    const claim = facts.find(({ fact }) => fact === "ClaimChecked") as Checked | undefined;
    if (claim === undefined) return;
    this.element.hidden = false;
    this.element.dataset["verdict"] = claim.verdict;
    const touched = claim.touched ? [` · ${t("claim.touched")}`] : [];
    this.#verdict.replaceChildren(t(`verdict.${claim.verdict}`), " · ", ...told(claim.reason), ...touched);
    const buttons = claim.steps.map((step) => this.#button(step));
    this.#steps.replaceChildren(...buttons.map((button) => h("li", {}, button)));
    buttons.at(-1)?.click();
  }

  close(): void {
    this.#diagram.close();
  }

  #button(step: Step): HTMLButtonElement {
    const move = step.san ? written(step.san, step.fen) : t("order.start");
    const time = step.occurrence ? t("claim.time", { count: step.occurrence }) : "";
    const show = (): void => {
      this.#diagram.show({ fen: step.fen, last: null, san: step.san || null });
      this.#steps.querySelector("[aria-current]")?.removeAttribute("aria-current");
      button.setAttribute("aria-current", "true");
    };
    const button = h(
      "button",
      { type: "button", onclick: show },
      h("span", {}, move),
      h("span", { class: "faint" }, t("claim.halfmoves", { count: step.halfmoves })),
      h("strong", {}, time),
    );
    return button;
  }
}
