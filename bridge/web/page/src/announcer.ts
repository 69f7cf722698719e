/** Tells a screen reader of moves and results, when it is quiet and if it is wanted. */

import type { Game } from "./api";
import { h, say } from "./dom";
import { numbered } from "./position";
import { preference } from "./preferences";
import { type Key, t } from "./texts";

const MEN: Record<string, Key> = {
  K: "man.king",
  Q: "man.queen",
  R: "man.rook",
  B: "man.bishop",
  N: "man.knight",
};

class Announcer {
  readonly element = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

  get on(): boolean {
    return preference("announce") !== "off";
  }

  tell(text: string): void {
    if (this.on) say(this.element, text);
  }

  move(game: Game): void {
    if (game.last_san === null) return;
    const { number, colour } = numbered(game.fen);
    this.tell(
      t("announce.move", {
        board: game.board ?? game.table,
        number,
        side: t(colour),
        move: spoken(game.last_san),
      }),
    );
  }

  result(game: Game): void {
    const values = { board: game.board ?? game.table, result: game.result };
    this.tell(t("announce.result", values));
  }
}

export const announcer = new Announcer();

/** A move as it is said: "knight takes f3, check". */
export function spoken(san: string): string {
  const end = san.endsWith("#") ? t("say.mate") : san.endsWith("+") ? t("say.check") : "";
  const body = san.replace(/[+#]$/, "");
  if (body.startsWith("O-O")) {
    return t(body === "O-O" ? "say.castles_short" : "say.castles_long") + end;
  }
  const words = [...body].map((letter) => {
    const man = MEN[letter];
    if (man !== undefined) return ` ${t(man)} `;
    if (letter === "x") return ` ${t("say.takes")} `;
    return letter === "=" ? ` ${t("say.becomes")} ` : letter;
  });
  return words.join("").replace(/\s+/g, " ").trim() + end;
}
