/** What alerts are called, and why a move is illegal, in the reader's language. */

import { language } from "./texts";

interface AlertTexts {
  title: Record<string, string>;
  reason: Record<string, string>;
}

const FILES = import.meta.glob<{ default: AlertTexts }>("../texts/alerts/*.json");

let texts: AlertTexts = { title: {}, reason: {} };

export async function loadAlertTexts(): Promise<void> {
  const load = FILES[`../texts/alerts/${language}.json`];
  if (load !== undefined) texts = (await load()).default;
}

/** `title` is what the server calls it, in English. */
export const titleOf = ({ code, title }: { code: string; title?: string }): string => texts.title[code] ?? title ?? code;

export const whyIllegal = (reason: string): string => texts.reason[reason] ?? reason;

/** Marks what the program says itself: it speaks English. */
export const inEnglish = (): { lang?: string } => (language === "en" ? {} : { lang: "en" });
