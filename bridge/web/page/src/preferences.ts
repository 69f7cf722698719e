/** What a reader has chosen; an address may say it too, for screens without a keyboard. */

export interface Preferences {
  theme: "auto" | "light" | "dark";
  language: string;
  size: "small" | "medium" | "large" | "fit";
  order: "board" | "recent" | "time" | "rating";
  show: "all" | "playing" | "ended";
  announce: "off" | "on";
  sound: "off" | "on";
  /** Whether somebody has logged in here: else nobody asks who it is. */
  account: "off" | "on";
}

const KEY = "eboard-bridge";
const address = new URLSearchParams(location.search);
const kept = read();

function read(): Partial<Preferences> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Preferences>;
  } catch {
    return {}; // a browser that keeps nothing, or something else under this name
  }
}

export function preference<K extends keyof Preferences>(name: K): Preferences[K] | undefined {
  return (address.get(name) as Preferences[K] | null) ?? kept[name];
}

export function prefer<K extends keyof Preferences>(name: K, value: Preferences[K]): void {
  forget(name);
  kept[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // It holds until the page is left.
  }
}

/** Let the address of the page say it no more: it would win when the page is loaded again. */
function forget(name: string): void {
  address.delete(name);
  const shown = new URL(location.href);
  if (!shown.searchParams.has(name)) return;
  shown.searchParams.delete(name);
  history.replaceState(history.state, "", shown);
}

/** Show the page light or dark; `auto` is as the system wants it. */
export function applyTheme(): void {
  const theme = preference("theme") ?? "auto";
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
