/** The men of a position as one picture, cheap to show again beside hundreds of others. */

import { h } from "./dom";
import { menImages } from "./men-images";
import { cellsOf } from "./position";

/** Drawings of the men by the letters of FEN. */
const drawings = new Map<string, HTMLImageElement>();
/** The men as bitmaps, by letter and size: to draw one line by line takes far longer. */
const bitmaps = new Map<string, HTMLCanvasElement>();
/** Kept out of the graphics card, from where it would have to be fetched each time. */
const kept: CanvasRenderingContext2DSettings = { willReadFrequently: true };
const canvas = h("canvas");
const context = canvas.getContext("2d", kept);

/** Have the drawings of the men at hand; pictures that are made before show none. */
export async function loadMen(): Promise<void> {
  const load = async ([letter, address]: [string, string]): Promise<void> => {
    const drawing = new Image();
    drawing.src = address;
    await drawing.decode();
    drawings.set(letter, drawing);
  };
  await Promise.all([...menImages()].map(load));
}

/** A picture so many points wide, ready to be shown at once. */
export async function pictureOf(fen: string, points: number): Promise<HTMLImageElement> {
  const picture = h("img", { alt: "" });
  const address = URL.createObjectURL(await painted(fen, points));
  picture.src = address;
  try {
    await picture.decode();
  } finally {
    URL.revokeObjectURL(address);
  }
  return picture;
}

function painted(fen: string, points: number): Promise<Blob> {
  canvas.width = canvas.height = points;
  cellsOf(fen).forEach((cell, square) => {
    const man = bitmapOf(cell, Math.ceil(points / 8));
    const [file, row] = [square % 8, 7 - Math.floor(square / 8)];
    if (man) context?.drawImage(man, Math.floor((file * points) / 8), Math.floor((row * points) / 8));
  });
  return new Promise((done) => canvas.toBlob((blob) => done(blob ?? new Blob())));
}

function bitmapOf(cell: string, points: number): HTMLCanvasElement | undefined {
  const drawing = drawings.get(cell);
  const key = `${cell}${points}`;
  const known = bitmaps.get(key);
  if (drawing === undefined || known !== undefined) return known;
  const bitmap = h("canvas", { width: points, height: points });
  bitmap.getContext("2d", kept)?.drawImage(drawing, 0, 0, points, points);
  bitmaps.set(key, bitmap);
  return bitmap;
}
