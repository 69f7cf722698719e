/** The arbiter's console: alerts by severity beside the one that is looked at, tables, audit. */

import "../forms.css";
import "./arbiter.css";

import { titleOf } from "../alert-texts";
import { type StaffMessage, fetchJson } from "../api";
import { ticker } from "../clock";
import { h, say } from "../dom";
import { prefer, preference } from "../preferences";
import { session } from "../session";
import type { Store } from "../store";
import { language, t } from "../texts";
import type { View } from "../view";
import { type Alert, alertPage, tablePage } from "./alerts";
import { AuditPage } from "./audit";
import { CasePage } from "./case";
import { CorrectionPage } from "./correction";
import { ring } from "./sound";
import { TablePage } from "./table";

/** News of one order come together; one question answers all of them. */
const GATHER_MS = 120;

interface Part {
  readonly element: HTMLElement;
  load(): Promise<void>;
  close(): void;
  tick?(): void;
}

export class Console implements View {
  readonly element: HTMLElement;
  readonly title = t("arbiter");
  readonly #list = h("ul", { class: "alerts" });
  readonly #count = h("p", { class: "faint", role: "status" });
  readonly #place = h("div", { class: "part" });
  #part: Part | null = null;
  #path = "";
  #stop: (() => void)[] = [];
  #timer: number | undefined;
  #loading = Promise.resolve();

  constructor(readonly store: Store) {
    const aside = h(
      "aside",
      { "aria-label": t("alerts") },
      h("h2", {}, t("alerts")),
      this.#count,
      this.#list,
      soundSwitch(),
      h("a", { href: "/arbiter/audit", "data-inside": true }, t("audit")),
      this.#tables(),
    );
    const heading = h("h1", { class: "unseen" }, t("arbiter"));
    this.element = h("main", { class: "console" }, heading, aside, this.#place);
  }

  open(): void {
    this.#stop = [
      this.store.listenToStaff((message) => this.#hear(message)),
      this.store.listen(() => this.#refresh()),
      ticker.add(() => this.#part?.tick?.()),
    ];
    this.#refresh();
  }

  close(): void {
    this.#stop.forEach((stop) => stop());
    this.#show(null);
    this.#path = "";
  }

  key(): boolean {
    return false;
  }

  go(path: string): void {
    if (path === this.#path) return;
    this.#path = path;
    this.#show(this.#partOf(path));
    this.#refresh();
  }

  #partOf(path: string): Part | null {
    if (session?.role !== "arbiter") return null;
    const [, kind, name, part] = /^\/arbiter\/(\w+)(?:\/([^/]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    const changed = (): void => this.#refresh();
    if (kind === "alerts" && name) return new CasePage(decodeURIComponent(name), this.store, changed);
    if (kind === "tables" && name && part === "moves") return new CorrectionPage(decodeURIComponent(name), changed);
    if (kind === "tables" && name) return new TablePage(decodeURIComponent(name), changed);
    return kind === "audit" ? new AuditPage() : null;
  }

  #show(part: Part | null): void {
    this.#part?.close();
    this.#part = part;
    this.element.classList.toggle("has-part", part !== null);
    const back = h("a", { class: "back", href: "/arbiter", "data-inside": true }, `← ${t("alerts")}`);
    this.#place.replaceChildren(...(part === null ? [] : [back, part.element]));
  }

  #hear(message: StaffMessage): void {
    if (message.type === "alert") ring(message.severity ?? "");
    this.#refresh();
  }

  #refresh(): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      // One after the other: an answer that is late must not replace a newer one.
      this.#loading = this.#loading.then(() => this.#load()).catch(() => this.#fail());
    }, GATHER_MS);
  }

  #fail(): void {
    say(this.#count, t("alerts.unknown"));
  }

  async #load(): Promise<void> {
    if (session?.role !== "arbiter") {
      this.#place.replaceChildren(
        h("p", {}, t("arbiter.only"), " ", h("a", { href: "/login", "data-inside": true }, t("login"))),
      );
      return;
    }
    const [{ alerts }] = await Promise.all([
      fetchJson<{ alerts: Alert[] }>("/api/v1/alerts"),
      this.#part?.load(),
    ]);
    const shown = alerts.filter(({ severity }) => severity !== "silent");
    say(this.#count, t("alerts.count", { count: shown.length }));
    this.#list.replaceChildren(...shown.map((alert) => this.#line(alert)));
  }

  #line(alert: Alert): HTMLElement {
    const game = this.store.games.get(alert.table);
    const here = this.#path === alertPage(alert.id);
    const when = new Date(alert.wall * 1000).toLocaleTimeString(language);
    const link = h(
      "a",
      { href: alertPage(alert.id), "data-inside": true, "aria-current": here ? "page" : undefined },
      h("span", { class: `badge ${alert.severity}` }, t(`severity.${alert.severity}`)),
      h("strong", {}, `${t("board.number", { board: game?.board ?? alert.table })}: ${titleOf(alert)}`),
      h("span", { class: "faint" }, [when, game && `${game.white.name} – ${game.black.name}`].filter(Boolean).join(" · ")),
    );
    return h("li", { class: alert.severity }, link);
  }

  #tables(): HTMLElement {
    const list = h("ul", { class: "tables" });
    const fill = (): void => {
      const tables = this.store.tables();
      if (list.childElementCount === tables.length) return;
      const links = tables.map((table) =>
        h("li", {}, h("a", { href: tablePage(table), "data-inside": true }, table)),
      );
      list.replaceChildren(...links);
    };
    this.store.listen(fill);
    fill();
    return h("details", {}, h("summary", {}, t("arbiter.tables")), list);
  }
}

function soundSwitch(): HTMLElement {
  const box = h("input", {
    type: "checkbox",
    checked: preference("sound") === "on",
    onchange: () => {
      prefer("sound", box.checked ? "on" : "off");
      ring("warning");
    },
  });
  return h("label", { class: "tick" }, box, h("span", {}, t("alerts.sound")));
}
