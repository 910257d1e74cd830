/** The declaration of a function of the page that the model may call, as it is sent with a question. */
export interface PageTool {
  /** Matches `TOOL_NAME`. */
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The names that every provider accepts. */
export const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The most tools that a page may declare. */
export const MAX_PAGE_TOOLS = 32;

/** The most characters of a page's context, as JSON. */
export const MAX_PAGE_CONTEXT_CHARS = 16_000;
