/** The page on which people say who they are. */

import "./arbiter/arbiter.css";
import "./forms.css";

import { h, say } from "./dom";
import { Refused, type Role, logIn, session } from "./session";
import { t } from "./texts";
import type { View } from "./view";

const HOMES: Record<Role, string> = {
  viewer: "/",
  monitor: "/",
  operator: "/operator",
  arbiter: "/arbiter",
};

export class LoginPage implements View {
  readonly element: HTMLElement;
  readonly title = t("login");
  readonly #name = h("input", { type: "text", name: "name", autocomplete: "username", required: true });
  readonly #password = h("input", {
    type: "password",
    name: "password",
    autocomplete: "current-password",
    required: true,
  });
  readonly #said = h("p", { class: "refused", role: "alert" });
  readonly #button = h("button", { type: "submit", class: "main" }, t("login"));

  constructor() {
    const form = h(
      "form",
      { class: "sheet", onsubmit: (event: SubmitEvent) => void this.#try(event) },
      h("h1", {}, t("login")),
      h("label", {}, h("span", {}, t("login.name")), this.#name),
      h("label", {}, h("span", {}, t("login.password")), this.#password),
      this.#said,
      this.#button,
    );
    this.element = h("main", { class: "login" }, form);
  }

  open(): void {
    this.#name.focus();
  }

  close(): void {
    this.#password.value = "";
  }

  key(): boolean {
    return false;
  }

  async #try(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.#button.disabled = true;
    say(this.#said, "");
    say(this.#button, t("login.checking"));
    try {
      await logIn(this.#name.value, this.#password.value);
      location.assign(HOMES[session?.role ?? "viewer"]); // all streams begin anew, as those of an account
    } catch (error) {
      say(this.#said, whyNot(error));
    } finally {
      this.#button.disabled = false;
      say(this.#button, t("login"));
    }
  }
}

function whyNot(error: unknown): string {
  if (!(error instanceof Refused)) return t("login.unreachable");
  const known: Record<number, string> = { 401: t("login.wrong"), 429: t("login.wait") };
  return known[error.status] ?? error.message;
}
