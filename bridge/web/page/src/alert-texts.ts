/** What alerts are called, why a move is illegal and what is said of a case, in the reader's language. */

import { h } from "./dom";
import { language } from "./texts";

interface AlertTexts {
  title: Record<string, string>;
  reason: Record<string, string>;
  /** Sentences of the program, which speaks English; in braces is what differs from case to case. */
  said: Record<string, string>;
}

interface Sentence {
  english: RegExp;
  names: string[];
  translated: string;
  /** Only joins what stands in braces, and says nothing alone. */
  joins: boolean;
}

const FILES = import.meta.glob<{ default: AlertTexts }>("../texts/alerts/*.json");
/** What may stand in some of the braces; elsewhere anything may that is one sentence. */
const KINDS: Record<string, string> = {
  square: "[a-h][1-8]",
  side: "[Ww]hite|[Bb]lack",
  them: "[Ww]hite|[Bb]lack",
  count: "\\d+",
  made: "\\d+",
  needed: "\\d+",
  number: "\\d+",
  ply: "\\d+",
  one: "[KQRBNa-hxO0-9.…+#= ,-]+",
  code: "[A-Z]+(?:_[A-Z]+)*",
  table: "[^: ]+",
  result: "1-0|0-1|1/2-1/2|0-0|0-1/2|1/2-0|another result|\\*",
};
/** What stands in these braces is as people wrote it. */
const VERBATIM: readonly string[] = ["who", "guest"];
const BETWEEN = "; ";
/** A position, which is drawn beside what is said of it. */
const FEN = /:? [rnbqkpRNBQKP1-8]+(?:\/[rnbqkpRNBQKP1-8]+){7} [wb] [-A-Ha-hKQkq]+ (?:-|[a-h][36]) \d+ \d+/g;
const FEWEST_LETTERS = 6;

let texts: AlertTexts = { title: {}, reason: {}, said: {} };
let sentences: Sentence[] = [];

export async function loadAlertTexts(): Promise<void> {
  const load = FILES[`../texts/alerts/${language}.json`];
  if (load === undefined) return;
  texts = (await load()).default;
  sentences = Object.entries(texts.said)
    .toSorted(([one], [other]) => wordsOf(other) - wordsOf(one))
    .map(([english, translated]) => sentenceOf(english, translated));
}

/** `title` is what the server calls it, in English. */
export const titleOf = ({ code, title }: { code: string; title?: string }): string => texts.title[code] ?? title ?? code;

export const whyIllegal = (reason: string): string => texts.reason[reason] ?? reason;

/** Marks what the program says itself: it speaks English. */
export const inEnglish = (): { lang?: string } => (language === "en" ? {} : { lang: "en" });

/** What the program says of a case: sentence by sentence translated where that is possible. */
export function told(text: string): HTMLElement[] {
  const parts = text.split(BETWEEN);
  const found: HTMLElement[] = [];
  for (let at = 0; at < parts.length; ) {
    const [next, translated] = longest(parts, at);
    const end = next < parts.length ? BETWEEN : "";
    found.push(h("span", translated === null ? inEnglish() : {}, (translated ?? parts[at] ?? "").replace(FEN, "") + end));
    at = next;
  }
  return found;
}

/** The same as plain text, where English cannot be marked. */
export const toldText = (text: string): string => told(text).map(({ textContent }) => textContent).join("");

/** The most parts from *at* on that are known together, and where the next one begins. */
function longest(parts: readonly string[], at: number): [next: number, translated: string | null] {
  for (let next = parts.length; next > at; next--) {
    const translated = translation(parts.slice(at, next).join(BETWEEN), false);
    if (translated !== null) return [next, translated];
  }
  return [at + 1, null];
}

/** *inside*: the text stood in the braces of another one. */
function translation(text: string, inside: boolean): string | null {
  for (const { english, names, translated, joins } of sentences) {
    const found = joins && !inside ? null : english.exec(text);
    if (found === null) continue;
    return translated.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = found[names.indexOf(name) + 1] ?? "";
      return VERBATIM.includes(name) ? value : (texts.title[value] ?? translation(value, true) ?? value);
    });
  }
  return null;
}

function sentenceOf(template: string, translated: string): Sentence {
  const names: string[] = [];
  const english = template.replace(/\{(\w+)\}|[^{]+/g, (piece, name?: string) => {
    if (name === undefined) return piece.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
    names.push(name);
    return `(${KINDS[name] ?? "[^;]+?"})`;
  });
  const joins = /^\{.*\}$/.test(template) && wordsOf(template) < FEWEST_LETTERS;
  return { english: new RegExp(`^${english}$`), names, translated, joins };
}

/** How many letters of a sentence are always the same: where more are, it fits better. */
const wordsOf = (template: string): number => template.replace(/\{\w+\}/g, "").length;
