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

  constructor() {
    const form = h(
      "form",
      { class: "sheet", onsubmit: (event: SubmitEvent) => void this.#try(event) },
      h("h1", {}, t("login")),
      h("label", {}, h("span", {}, t("login.name")), this.#name),
      h("label", {}, h("span", {}, t("login.password")), this.#password),
      this.#said,
      h("button", { type: "submit", class: "main" }, t("login")),
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
    say(this.#said, "");
    try {
      await logIn(this.#name.value, this.#password.value);
      location.assign(HOMES[session?.role ?? "viewer"]); // all streams begin anew, as those of an account
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(this.#said, error.message);
    }
  }
}
