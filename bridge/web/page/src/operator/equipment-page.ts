/** The operator's page: how boards, clocks and outputs do, the round, and who has which board. */

import "../forms.css";
import "./operator.css";

import { titleOf } from "../alert-texts";
import { fetchJson, pageOf } from "../api";
import { h, say } from "../dom";
import { isStaff } from "../session";
import type { Store } from "../store";
import { language, t } from "../texts";
import type { View } from "../view";
import { Cards, type Look } from "./card";
import { LogPanel } from "./log";
import { RoundPanel } from "./round";
import { SeatingPanel } from "./seating";

/** Nobody tells when a board spoke last; so it is asked for. */
const ASK_MS = 2000;
/** Boards that are asked speak every few seconds. */
const LONG_SILENCE = 5;

/** They say what the state of the link says. */
const OF_LINKS: readonly string[] = ["BOARD_DISCONNECTED", "SNAPSHOT_STALE"];

interface Link {
  table: string;
  device: "board" | "clock";
  state: "live" | "stale" | "lost" | null;
  detail: string;
  /** Seconds. */
  silent: number | null;
  /** Bytes of the last minute. */
  noise: number;
  battery: { percent: number; charging: boolean } | null;
}

/** `last` is Unix time in seconds. */
interface Output {
  name: string;
  last: number | null;
  delivered: number;
  /** Attempts. */
  failed: number;
  waiting: number;
  trouble: string;
}

interface Equipment {
  troubles: string[];
  links: Link[];
  outputs: Output[];
}

interface Place {
  table: string;
  alerts: { code: string; visibility: string; text: string; remedy?: string }[];
}

export class EquipmentPage implements View {
  readonly element: HTMLElement;
  readonly title = t("operator");
  readonly #said = h("p", { class: "faint", role: "status" });
  readonly #wrong = h("p", { class: "refused", role: "alert" });
  readonly #boards = new Cards();
  readonly #outputs = new Cards();
  #panels: { readonly element: HTMLElement; close(): void }[] = [];
  #timer: number | undefined;
  #open = false;
  #stop = (): void => {};

  constructor(readonly store: Store) {
    this.element = h(
      "main",
      { class: "equipment" },
      h("h1", {}, t("operator")),
      this.#wrong,
      h("h2", {}, t("operator.boards")),
      this.#said,
      this.#boards.element,
      h("h2", {}, t("operator.outputs")),
      this.#outputs.element,
    );
  }

  open(): void {
    if (!isStaff()) {
      const login = h("a", { href: "/login", "data-inside": true }, t("login"));
      this.element.replaceChildren(h("h1", {}, t("operator")), h("p", {}, t("operator.only"), " ", login));
      return;
    }
    this.#open = true;
    this.#panels = [new RoundPanel(this.store), new SeatingPanel(this.store), new LogPanel()];
    this.element.append(...this.#panels.map(({ element }) => element));
    this.#stop = this.store.listenToStaff(({ type }) => {
      if (type === "link") this.#ask(0);
    });
    this.#ask(0);
  }

  close(): void {
    this.#open = false;
    window.clearTimeout(this.#timer);
    this.#stop();
    this.#panels.forEach((panel) => panel.close());
  }

  key(): boolean {
    return false;
  }

  #ask(after: number): void {
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#load(), after);
  }

  async #load(): Promise<void> {
    try {
      const [equipment, { places }] = await Promise.all([
        fetchJson<Equipment>("/api/v1/equipment"),
        fetchJson<{ places: Place[] }>("/api/v1/places"),
      ]);
      this.#show(equipment, new Map(places.map((place) => [place.table, place])));
    } catch {
      say(this.#said, t("operator.unknown"));
    }
    if (this.#open) this.#ask(ASK_MS);
  }

  #show({ troubles, links, outputs }: Equipment, places: ReadonlyMap<string, Place>): void {
    // What is wrong with an output stands with it.
    const others = troubles.filter((text) => !outputs.some(({ trouble }) => trouble && text.includes(trouble)));
    say(this.#wrong, others.join("\n"));
    const live = links.filter(({ state }) => state === "live").length;
    say(this.#said, t("operator.count", { live, all: links.length }));
    this.#boards.show(links.map((link) => this.#lookOf(link, places.get(link.table))));
    this.#outputs.show(outputs.map(lookOfOutput));
  }

  #lookOf(link: Link, place: Place | undefined): Look {
    const board = this.store.games.get(link.table)?.board ?? link.table;
    const isBoard = link.device === "board";
    const alerts = (place?.alerts ?? []).filter(({ visibility }) => visibility === "O");
    return {
      name: t(isBoard ? "board.number" : "operator.clock", { board }),
      href: pageOf(link.table),
      ...(isBoard ? { captures: `/api/v1/tables/${encodeURIComponent(link.table)}/captures.zip` } : {}),
      health: link.state ?? "unknown",
      facts: [silence(link.silent), battery(link), noise(link)].filter(Boolean),
      troubles: [
        ...(link.detail === "" ? [] : [link.detail]),
        ...(isBoard ? alerts.map((alert) => inWords(alert, link)) : []),
      ],
    };
  }
}

/** What the state of the link says already is not said again. */
function inWords({ code, text, remedy }: Place["alerts"][number], { detail }: Link): string {
  const title = language === "en" ? "" : titleOf({ code });
  const known = OF_LINKS.includes(code) || text === detail;
  return [title, known ? "" : text, remedy].filter(Boolean).join("; ");
}

function silence(seconds: number | null): string {
  if (seconds === null) return t("operator.mute");
  const [size, unit] = seconds < 90 ? [1, "second" as const] : [60, "minute" as const];
  // A figure that changes all the time is not looked at.
  const shown = seconds < LONG_SILENCE ? LONG_SILENCE : Math.round(seconds / size);
  const style = { style: "unit", unit, unitDisplay: "short" } as const;
  const time = new Intl.NumberFormat(language, style).format(shown);
  return t("operator.silent", { time: seconds < LONG_SILENCE ? `< ${time}` : time });
}

function battery({ battery }: Link): string {
  if (battery === null) return "";
  return t(battery.charging ? "operator.charging" : "operator.battery", { percent: battery.percent });
}

function noise({ noise }: Link): string {
  return noise === 0 ? "" : t("operator.noise", { count: noise });
}

function lookOfOutput({ name, last, delivered, failed, waiting, trouble }: Output): Look {
  const time = last === null ? "" : new Date(last * 1000).toLocaleTimeString(language);
  return {
    name,
    health: trouble ? "trouble" : "well",
    facts: [
      last === null ? t("operator.never") : t("operator.last", { time }),
      ...(waiting ? [t("operator.waiting", { count: waiting })] : []),
      ...(delivered ? [t("operator.delivered", { count: delivered })] : []),
      ...(failed ? [t("operator.failed", { count: failed })] : []),
    ],
    troubles: trouble ? [trouble] : [],
  };
}
