import type { Store } from "./store";
import type { View } from "./view";
import { h } from "./dom";
export class BoardPage implements View {
  readonly element = h("main");
  readonly title = "";
  constructor(_s: Store, _t: string) {}
  open(): void {}
  close(): void {}
  key(): boolean { return false; }
}
