/** The latest lines of the log. */

import { told } from "../alert-texts";
import { fetchJson } from "../api";
import { h } from "../dom";
import { language, t } from "../texts";
import { panel } from "./panel";

const ASK_MS = 5000;

interface Line {
  /** Unix time in seconds. */
  at: number;
  level: "info" | "warning" | "error";
  text: string;
}

export class LogPanel {
  readonly element: HTMLElement;
  readonly #serious = h("input", { type: "checkbox", onchange: () => void this.#load() });
  readonly #list = h("ol");
  #timer: number | undefined;

  constructor() {
    const serious = h("label", { class: "tick" }, this.#serious, h("span", {}, t("log.serious")));
    const actions = { opened: () => void this.#load(), closed: () => this.close() };
    const shown = h("div", { class: "log", tabindex: 0, role: "region", "aria-label": t("log") }, this.#list);
    this.element = panel(t("log"), [serious, shown], actions);
  }

  close(): void {
    window.clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    this.close();
    const { lines } = await fetchJson<{ lines: Line[] }>("/api/v1/log");
    const shown = lines.filter(({ level }) => level !== "info" || !this.#serious.checked).reverse();
    const none = h("li", { class: "faint" }, t("case.nothing"));
    this.#list.replaceChildren(...(shown.length ? shown.map(lineOf) : [none]));
    this.#timer = window.setTimeout(() => void this.#load(), ASK_MS);
  }
}

function lineOf({ at, level, text }: Line): HTMLLIElement {
  const when = new Date(at * 1000).toLocaleTimeString(language);
  return h("li", { class: level }, h("span", { class: "faint" }, when), " ", ...told(text));
}
