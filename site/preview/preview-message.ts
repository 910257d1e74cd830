/** What the playground tells the page of its preview. */
export interface PreviewMessage {
  readonly layout: "inline" | "launcher";
  readonly colorScheme: "light" | "dark";
  readonly locale: "ru" | "en";
  /** The CSS that the visitor would copy. */
  readonly css: string;
  /** A question that an empty chat asks by itself. */
  readonly question?: string;
}
