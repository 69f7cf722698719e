/** The pages that people walk through: which is shown, and how they get from one to another. */

import "./base.css";
import "./hall.css";

import { loadAlertTexts } from "./alert-texts";
import { announcer } from "./announcer";
import { h } from "./dom";
import { Hall } from "./hall";
import { header } from "./header";
import { loadMen } from "./placement-picture";
import { applyTheme } from "./preferences";
import { learnSession } from "./session";
import { Store } from "./store";
import { loadTexts, t } from "./texts";
import type { View } from "./view";

class Pages {
  readonly #store = new Store();
  readonly #hall = new Hall(this.#store);
  readonly #place = h("div", { class: "view" });
  #console: View | null = null;
  #view: View | null = null;

  constructor(page: HTMLElement) {
    const skip = h("a", { class: "skip", href: "#view" }, t("skip"));
    this.#place.id = "view";
    this.#place.tabIndex = -1;
    page.replaceChildren(skip, header(this.#store), this.#place, announcer.element);
    window.addEventListener("popstate", () => void this.show());
    document.addEventListener("click", (event) => this.#click(event));
    document.addEventListener("keydown", (event) => this.#key(event));
    this.#store.listen(() => this.#entitle());
  }

  async show(): Promise<void> {
    const view = await this.#viewOf(location.pathname);
    if (view === this.#view) {
      view.go?.(location.pathname);
      this.#entitle();
      return;
    }
    this.#view?.close();
    this.#view = view;
    this.#place.replaceChildren(view.element);
    view.go?.(location.pathname);
    view.open();
    this.#entitle();
  }

  async #viewOf(path: string): Promise<View> {
    if (path === "/login") return new (await import("./login")).LoginPage();
    if (/^\/(arbiter|operator)(\/|$)/.test(path)) await loadAlertTexts();
    if (path === "/operator") {
      return new (await import("./operator/equipment-page")).EquipmentPage(this.#store);
    }
    if (/^\/arbiter(\/|$)/.test(path)) {
      const { Console } = await import("./arbiter/console");
      return (this.#console ??= new Console(this.#store));
    }
    const table = /^\/board\/([^/]+)$/.exec(path)?.[1];
    if (table === undefined) return this.#hall;
    const { BoardPage } = await import("./board-page");
    return new BoardPage(decodeURIComponent(table));
  }

  #entitle(): void {
    const event = this.#store.happening.name || "eboard-bridge";
    const title = [this.#view?.title, event].filter(Boolean).join(" · ");
    if (document.title !== title) document.title = title;
  }

  #click(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a[data-inside]");
    const other = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (link === null || other) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    void this.show().then(() => this.#place.focus({ preventScroll: true }));
  }

  #key(event: KeyboardEvent): void {
    const other = event.ctrlKey || event.metaKey || event.altKey;
    const typing = (event.target as Element).closest("input, select, textarea, dialog");
    if (other || typing !== null || event.defaultPrevented) return;
    if (this.#view?.key(event)) event.preventDefault();
  }
}

applyTheme();
await Promise.all([loadTexts(), learnSession(), loadMen()]);
const page = document.getElementById("page");
if (page !== null) await new Pages(page).show();
