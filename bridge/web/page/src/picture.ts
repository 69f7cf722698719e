/** The position as a picture of its own, in the colours of the page. */

import type { Game } from "./api";
import { h, svg } from "./dom";
import { colourOf, menImages } from "./men-images";
import { shownResult } from "./players";
import { cellsOf, isLight, squaresOf } from "./position";

export interface Picture {
  fen: string;
  last: string | null;
  game: Game;
}

const SQUARE = 45;
const HEAD = 36;
const [WIDTH, HEIGHT] = [8 * SQUARE, 8 * SQUARE + 2 * HEAD];
const PNG_SCALE = 3;

/** Return a whole SVG file. */
export function svgOf({ fen, last, game }: Picture): string {
  const men = menImages();
  const touched = squaresOf(last);
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
    const fill = colourOf(isLight(square) ? "--light-square" : "--dark-square");
    const box = { x, y, width: SQUARE, height: SQUARE };
    drawing.append(svg("rect", { ...box, fill }));
    if (touched.includes(square)) drawing.append(svg("rect", { ...box, fill: colourOf("--last-move") }));
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
