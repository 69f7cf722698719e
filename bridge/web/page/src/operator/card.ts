/** One thing that is looked after: how it does, and what is wrong with it. */

import { told } from "../alert-texts";
import { h, say } from "../dom";
import { t } from "../texts";

export type Health = "live" | "stale" | "lost" | "unknown" | "well" | "trouble";

/** `href` is the page of what is looked after, `captures` what it said, if there is such. */
export interface Look {
  name: string;
  href?: string;
  captures?: string;
  health: Health;
  facts: string[];
  troubles: string[];
}

const WELL: readonly Health[] = ["live", "well"];

export const needsCare = (look: Look): boolean => !WELL.includes(look.health) || look.troubles.length > 0;

class Card {
  readonly element: HTMLElement;
  readonly #badge = h("span", { class: "health" });
  readonly #facts = h("p", { class: "faint" });
  readonly #troubles = h("ul", { class: "troubles" });
  #shown = "";

  constructor(look: Look) {
    const name =
      look.href === undefined
        ? h("span", {}, look.name)
        : h("a", { href: look.href, "data-inside": true }, look.name);
    const more =
      look.captures === undefined ? [] : [h("a", { class: "captures", href: look.captures, download: true }, t("operator.captures"))];
    this.element = h("li", {}, h("h3", {}, name), this.#badge, this.#facts, this.#troubles, ...more);
  }

  show({ health, facts, troubles }: Look): void {
    this.element.dataset["health"] = health;
    say(this.#badge, t(`health.${health}`));
    say(this.#facts, facts.join(" · "));
    if (troubles.join("\n") === this.#shown) return;
    this.#shown = troubles.join("\n");
    this.#troubles.replaceChildren(...troubles.map((text) => h("li", {}, ...told(text))));
  }
}

/** Cards that stay while they are looked at: what needs care first, the others as they come. */
export class Cards {
  readonly element = h("ul", { class: "cards" });
  readonly #cards = new Map<string, Card>();

  show(looks: readonly Look[]): void {
    const sorted = [...looks].sort((one, other) => Number(needsCare(other)) - Number(needsCare(one)));
    const elements = sorted.map((look) => {
      const card = this.#cards.get(look.name) ?? new Card(look);
      this.#cards.set(look.name, card);
      card.show(look);
      return card.element;
    });
    const same = elements.every((element, at) => this.element.children[at] === element);
    if (!same || elements.length !== this.element.childElementCount) this.element.replaceChildren(...elements);
  }
}
