/** The head of every page: what is on, whether the line is live, and the reader's choices. */

import { h, say } from "./dom";
import { applyTheme, prefer, preference } from "./preferences";
import { logOut, session } from "./session";
import type { Store } from "./store";
import { LANGUAGES, language, nameOf, t } from "./texts";

const THEMES = ["auto", "light", "dark"] as const;

export function header(store: Store): HTMLElement {
  const name = h("a", { class: "event", href: "/", "data-inside": true });
  const place = h("span", { class: "where" });
  const show = (): void => {
    const { name: event, site, round } = store.happening;
    say(name, event || "eboard-bridge");
    const parts = [site, round === "?" ? "" : t("round", { round })];
    say(place, parts.filter((part) => part !== "" && part !== "?").join(" · "));
  };
  store.listen(({ tables }) => {
    if (tables === "all") show();
  });
  show();
  return h(
    "header",
    { class: "page-head" },
    h("div", { class: "happening" }, name, place),
    h("div", { class: "tools" }, linkLamp(store), themeButton(), languageChoice(), ...account()),
  );
}

/** Ways for those who have an account, and for those who may have one. */
function account(): HTMLElement[] {
  if (session === null) {
    return [h("a", { class: "button plain", href: "/login", "data-inside": true }, t("login"))];
  }
  const leave = h("button", { type: "button", class: "plain", title: session.name, onclick: out }, t("logout"));
  async function out(): Promise<void> {
    await logOut();
    location.assign("/");
  }
  const way = (href: string, name: string): HTMLElement =>
    h("a", { class: "button", href, "data-inside": true }, name);
  const equipment = way("/operator", t("operator"));
  if (session.role === "arbiter") return [way("/arbiter", t("arbiter")), equipment, leave];
  return session.role === "operator" ? [equipment, leave] : [leave];
}

function linkLamp(store: Store): HTMLElement {
  const lamp = h("span", { class: "lamp", role: "status" });
  store.listenToLink((state) => {
    lamp.dataset["state"] = state;
    const time = new Date(store.stream.heard).toLocaleTimeString(language);
    say(lamp, state === "lost" && store.stream.heard ? t("link.lost", { time }) : t(`link.${state}`));
  });
  return lamp;
}

function themeButton(): HTMLElement {
  const button = h("button", { type: "button", class: "plain theme", onclick: next });
  function show(): void {
    const theme = preference("theme") ?? "auto";
    button.dataset["theme"] = theme;
    button.title = t(`theme.${theme}`);
    button.setAttribute("aria-label", button.title);
  }
  function next(): void {
    const now = THEMES.indexOf(preference("theme") ?? "auto");
    prefer("theme", THEMES[(now + 1) % THEMES.length] ?? "auto");
    applyTheme();
    show();
  }
  show();
  return button;
}

function languageChoice(): HTMLElement {
  const select = h("select", { class: "plain", "aria-label": t("language"), onchange: choose });
  for (const tag of LANGUAGES) {
    select.append(h("option", { value: tag, lang: tag, selected: tag === language }, nameOf(tag)));
  }
  function choose(): void {
    prefer("language", select.value);
    location.reload();
  }
  return select;
}
