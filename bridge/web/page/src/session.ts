/** Who is logged in, and changes that only they may make. */

import { prefer, preference } from "./preferences";

export type Role = "viewer" | "operator" | "arbiter" | "monitor";

export interface Session {
  name: string;
  role: Role;
  csrf: string;
}

const PATH = "/api/v1/session";
const JSON_BODY = { "Content-Type": "application/json" };

export let session: Session | null = null;

/** Whether who is logged in is shown more than the games. */
export const isStaff = (): boolean => session?.role === "operator" || session?.role === "arbiter";

/** Ask who is logged in, where somebody was; nobody is no error. */
export async function learnSession(): Promise<void> {
  if (preference("account") !== "on") return;
  const response = await fetch(PATH);
  session = response.ok ? ((await response.json()) as Session) : null;
  if (response.status === 401) prefer("account", "off");
}

/** Something was refused, with that HTTP status; the message is the server's, `said` all of its answer. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly said: unknown,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Log in, or throw `Refused`. */
export async function logIn(name: string, password: string): Promise<void> {
  const body = JSON.stringify({ name, password });
  session = await changed<Session>(await fetch(PATH, { method: "POST", headers: JSON_BODY, body }));
  prefer("account", "on");
}

export async function logOut(): Promise<void> {
  await changed(await fetch(PATH, { method: "DELETE", headers: csrf() }));
  prefer("account", "off");
}

/** Send a change and return what came of it, or throw `Refused`. */
export async function send<T>(path: string, body: unknown): Promise<T> {
  const headers = { ...JSON_BODY, ...csrf() };
  return changed<T>(await fetch(path, { method: "POST", headers, body: JSON.stringify(body) }));
}

function csrf(): Record<string, string> {
  return session === null ? {} : { "X-CSRF-Token": session.csrf };
}

async function changed<T>(response: Response): Promise<T> {
  const said = (await response.json()) as T & { error?: string };
  if (!response.ok) throw new Refused(said.error ?? String(response.status), said, response.status);
  return said;
}
