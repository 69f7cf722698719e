/** Texts in the reader's language. `texts/README.md` tells how to add one. */

import english from "../texts/en.json";
import { preference } from "./preferences";

export type Texts = typeof english;
export type Key = keyof Texts;

const FILES = import.meta.glob<{ default: Texts }>(["../texts/*.json", "!../texts/en.json"]);
export const LANGUAGES: readonly string[] = [
  "en",
  ...Object.keys(FILES).map((path) => path.slice("../texts/".length, -".json".length)),
];

let texts: Texts = english;
export let language = "en";

/** Load the language that was chosen, or the first that the browser asks for. */
export async function loadTexts(): Promise<void> {
  const wanted = [preference("language"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  language = wanted.find((tag) => tag !== undefined && LANGUAGES.includes(tag)) ?? "en";
  const load = FILES[`../texts/${language}.json`];
  texts = load === undefined ? english : (await load()).default;
  document.documentElement.lang = language;
}

/** The text, with `{name}` filled in. */
export function t(key: Key, values: Record<string, string | number> = {}): string {
  return texts[key].replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** What a language calls itself. */
export function nameOf(tag: string): string {
  const name = new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}
