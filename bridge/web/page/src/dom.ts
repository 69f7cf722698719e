/** Elements without markup in strings, so that no name can become markup. */

type Value = string | number | boolean | ((event: never) => void) | undefined;
export type Child = Node | string;

/** Make an element; `onclick` and the like listen, `true` sets a bare attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

function set(element: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== undefined && value !== false) {
      element.setAttribute(name, String(value));
    }
  }
}

/** Set text only where it differs: what is not touched is not laid out and not read again. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
