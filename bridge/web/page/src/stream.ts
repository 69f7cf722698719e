/** The WebSocket of news: opened again when it is lost, going on where it was. */

import type { Message } from "./api";

export type LinkState = "connecting" | "live" | "lost";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
/** The server pings more often; so much silence is a connection that died without saying so. */
const SILENCE = 45_000;

export class Stream {
  state: LinkState = "connecting";
  /** When news came last. */
  heard = 0;
  #seq: number | null = null;
  #socket: WebSocket | null = null;
  #wait = FIRST_WAIT;
  #retry: number | undefined;
  #watch: number | undefined;
  #closed = false;

  /** *query* asks for a part of the news: one table, or games without their moves. */
  constructor(
    readonly query: Record<string, string>,
    readonly take: (message: Message) => void,
    readonly changed: (state: LinkState) => void,
  ) {
    window.addEventListener("online", this.#online);
    window.addEventListener("offline", this.#lost);
    this.#open();
  }

  /** Want no more news. */
  close(): void {
    this.#closed = true;
    window.removeEventListener("online", this.#online);
    window.removeEventListener("offline", this.#lost);
    this.#drop();
    window.clearTimeout(this.#retry);
  }

  #open(): void {
    const url = new URL("/api/v1/stream", location.href);
    url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    for (const [name, value] of Object.entries(this.query)) url.searchParams.set(name, value);
    if (this.#seq !== null) url.searchParams.set("since", String(this.#seq));
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(String(event.data)) as Message);
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #receive(message: Message): void {
    this.#wait = FIRST_WAIT;
    this.heard = Date.now();
    window.clearTimeout(this.#watch);
    this.#watch = window.setTimeout(this.#lost, SILENCE);
    this.#seq = message.seq;
    this.take(message);
    this.#become("live");
  }

  readonly #online = (): void => this.#again(0);

  readonly #lost = (): void => {
    this.#drop();
    this.#become("lost");
    const jitter = 0.5 + Math.random() / 2;
    this.#again(this.#wait * jitter);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  };

  #drop(): void {
    window.clearTimeout(this.#watch);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #again(after: number): void {
    if (this.#socket !== null || this.#closed) return;
    window.clearTimeout(this.#retry);
    this.#retry = window.setTimeout(() => this.#open(), after);
  }

  #become(state: LinkState): void {
    if (state === this.state) return;
    this.state = state;
    this.changed(state);
  }
}
