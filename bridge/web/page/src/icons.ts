/** Signs on buttons; fonts do not have them everywhere. */

import { svg } from "./dom";

const PATHS = {
  first: "M3 3v10M13 3L6 8l7 5z",
  back: "M11 3L4 8l7 5z",
  on: "M5 3l7 5-7 5z",
  last: "M13 3v10M3 3l7 5-7 5z",
  flip: "M5 13V3L2 6M5 3l3 3M11 3v10l-3-3M11 13l3-3",
};
export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  const path = svg("path", { d: PATHS[name], fill: name === "flip" ? "none" : "currentColor" });
  const stroke = { stroke: "currentColor", "stroke-width": 1.6, "stroke-linejoin": "round" };
  return svg("svg", { viewBox: "0 0 16 16", width: 18, height: 18, "aria-hidden": "true", ...stroke }, path);
}
