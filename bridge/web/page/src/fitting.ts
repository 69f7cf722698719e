/** How all boards of the hall go on one screen, as large as they can be. */

/** Lengths in points; `beside`: what is written stands beside the board, not above and below. */
export interface Fit {
  columns: number;
  side: number;
  letters: number;
  beside: boolean;
}

interface Room {
  width: number;
  height: number;
  gap: number;
  /** The height of ordinary letters. */
  rem: number;
}

/** Narrower, and nobody could read a name above a board, or beside it. */
const NARROWEST_REM = 8;
const NARROWEST_BESIDE_REM = 7;
/** In heights of a letter, as in `hall.css`: the lines of a tile, and what stands beside a board. */
const LINES = 3 * 2.1;
const BESIDE = 8;
/** Lines beside a board, with the room between them. */
const STACKED = 7;
const BORDER = 2;

/**
 * The largest tiles of which *count* fit; where that is too narrow to read, with text beside.
 *
 * Where even that is too narrow, they are as narrow as can be read, and do not all fit.
 */
export function fitted(count: number, room: Room): Fit {
  const above = largest(count, room, (width) => {
    const letters = within(0.07 * width, 0.55, 1.6, room.rem);
    return { side: width, letters, height: width + LINES * letters + BORDER };
  });
  if (above.side >= NARROWEST_REM * room.rem) return { ...above, beside: false };
  const beside = largest(count, room, (width) => {
    const side = (width * STACKED) / (STACKED + BESIDE);
    return { side, letters: within(side / STACKED, 0, 1.6, room.rem), height: side + BORDER };
  }, NARROWEST_BESIDE_REM * room.rem);
  return { ...beside, beside: true };
}

function largest(
  count: number,
  { width, height, gap }: Room,
  tile: (width: number) => { side: number; letters: number; height: number },
  narrowest = 0,
): Omit<Fit, "beside"> {
  let columns = 1;
  for (; columns < count && widthOf(columns + 1) >= narrowest; columns++) {
    const rows = Math.ceil(count / columns);
    const { height: tall } = tile(widthOf(columns));
    if (rows * tall + gap * (rows - 1) <= height) break;
  }
  const { side, letters } = tile(widthOf(columns));
  return { columns, side, letters };

  function widthOf(count: number): number {
    return (width - gap * (count - 1)) / count;
  }
}

const within = (value: number, least: number, most: number, rem: number): number =>
  Math.min(Math.max(least * rem, value), most * rem);
