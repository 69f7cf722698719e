/** What fills the page below its head. */
export interface View {
  readonly element: HTMLElement;
  /** For the window's title; "" is the event alone. */
  readonly title: string;
  open(): void;
  /** Show what an address says that is this view's too. */
  go?(path: string): void;
  close(): void;
  /** Handle a key that belongs to no field; say whether it was ours. */
  key(event: KeyboardEvent): boolean;
}
