/** What chooses boards in the hall: search, which, order, size, announcing. */

import { h } from "./dom";
import { type Preferences, prefer, preference } from "./preferences";
import { type Key, t } from "./texts";

export interface HallTools {
  element: HTMLElement;
  search: HTMLInputElement;
}

const CHOICES = {
  show: ["all", "playing", "ended"],
  order: ["board", "recent", "time", "rating"],
  size: ["small", "medium", "large", "fit"],
} as const;

export function hallTools(changed: () => void): HallTools {
  const search = h("input", {
    type: "search",
    placeholder: t("hall.search"),
    "aria-label": t("hall.search"),
    "aria-keyshortcuts": "/",
    oninput: changed,
  });
  const names = Object.keys(CHOICES) as (keyof typeof CHOICES)[];
  const choices = names.map((name) => choice(name, changed));
  const element = h(
    "div",
    { class: "hall-tools" },
    search,
    h(
      "details",
      { class: "choices" },
      h("summary", {}, t("hall.choices")),
      h("div", { class: "panel" }, ...choices, announcing()),
    ),
  );
  return { element, search };
}

function choice(name: keyof typeof CHOICES, changed: () => void): HTMLElement {
  const chosen = preference(name) ?? (name === "size" ? "medium" : CHOICES[name][0]);
  const select = h("select", {
    name,
    onchange: () => {
      prefer(name, select.value as Preferences[typeof name]);
      changed();
    },
  });
  for (const value of CHOICES[name]) {
    const key = `hall.${name}.${value}` as Key;
    select.append(h("option", { value, selected: value === chosen }, t(key)));
  }
  return h("label", {}, h("span", {}, t(`hall.${name}`)), select);
}

/** The switch that lets moves be told to a screen reader. */
export function announcing(): HTMLElement {
  const box = h("input", {
    type: "checkbox",
    checked: preference("announce") !== "off",
    onchange: () => prefer("announce", box.checked ? "on" : "off"),
  });
  return h("label", { class: "tick" }, box, h("span", {}, t("announce")));
}
