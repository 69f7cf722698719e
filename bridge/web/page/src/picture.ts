/** The position as a picture of its own, in the colours of the page. */

import type { Game } from "./api";
import { h, svg } from "./dom";
import { shownResult } from "./players";
import { cellsOf } from "./position";

export interface Picture {
  fen: string;
  last: string | null;
  game: Game;
}

const SQUARE = 45;
const HEAD = 36;
const [WIDTH, HEIGHT] = [8 * SQUARE, 8 * SQUARE + 2 * HEAD];
const PNG_SCALE = 3;
const ROLES: Record<string, string> = {
  p: "pawn",
  n: "knight",
  b: "bishop",
  r: "rook",
  q: "queen",
  k: "king",
};

/** Return a whole SVG file. */
export function svgOf({ fen, last, game }: Picture): string {
  const style = getComputedStyle(document.querySelector(".diagram") ?? document.body);
  const colour = (name: string): string => plain(style.getPropertyValue(name));
  const men = menImages();
  const drawing = svg("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    width: WIDTH,
    height: HEIGHT,
    "font-family": "sans-serif",
    "font-size": 16,
  });
  drawing.append(svg("rect", { width: WIDTH, height: HEIGHT, fill: "#fff" }));
  cellsOf(fen).forEach((cell, square) => {
    const [x, y] = [(square % 8) * SQUARE, HEAD + (7 - Math.floor(square / 8)) * SQUARE];
    const light = ((square % 8) + Math.floor(square / 8)) % 2 === 1;
    const fill = colour(light ? "--light-square" : "--dark-square");
    const box = { x, y, width: SQUARE, height: SQUARE };
    drawing.append(svg("rect", { ...box, fill }));
    if (touched(last, square)) drawing.append(svg("rect", { ...box, fill: colour("--last-move") }));
    const man = men.get(cell);
    if (man !== undefined) drawing.append(svg("image", { ...box, href: man }));
  });
  const names = `${game.black.name}  ${shownResult(game.result)}`.trim();
  drawing.append(svg("text", { x: 8, y: 24 }, names));
  drawing.append(svg("text", { x: 8, y: HEIGHT - 12 }, game.white.name));
  return new XMLSerializer().serializeToString(drawing);
}

/** Return the address of a PNG of the drawing. */
export async function pngOf(drawing: string): Promise<string> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = h("canvas", { width: WIDTH * PNG_SCALE, height: HEIGHT * PNG_SCALE });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/png");
}

function touched(uci: string | null, square: number): boolean {
  if (uci === null) return false;
  const name = `${String.fromCharCode(97 + (square % 8))}${Math.floor(square / 8) + 1}`;
  return uci.slice(0, 2) === name || uci.slice(2, 4) === name;
}

/** The pictures of the men, taken from the style of the board. */
function menImages(): Map<string, string> {
  const wrap = h("div", { class: "cg-wrap unseen" });
  document.body.append(wrap);
  const found = new Map<string, string>();
  for (const [letter, role] of Object.entries(ROLES)) {
    for (const colour of ["white", "black"]) {
      const man = document.createElement("piece");
      man.className = `${role} ${colour}`;
      wrap.append(man);
      const address = /url\("(.*)"\)/.exec(getComputedStyle(man).backgroundImage)?.[1];
      const key = colour === "white" ? letter.toUpperCase() : letter;
      if (address !== undefined) found.set(key, address);
    }
  }
  wrap.remove();
  return found;
}

/** A colour that every program understands: of the pair for light and dark, as it is now. */
function plain(value: string): string {
  const probe = h("span");
  probe.style.color = value;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
