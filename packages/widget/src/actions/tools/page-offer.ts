/** What the host page offers the assistant. */

/** What a page's tool is told about its call. */
export interface ToolCallInfo {
  /** Aborts when the call no longer counts: its answer has ended, or another page has answered. */
  readonly signal: AbortSignal;
  readonly threadId: string;
  readonly toolCallId: string;
}

/** A function of the page that the model may call. */
export interface NitkaTool {
  /** Tells the model when to call it and what it does. */
  readonly description: string;
  /** A JSON Schema of the arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The name for people, in the question whether it may run. */
  readonly title?: string;
  /** The visitor is asked before each call; a string is the question. */
  readonly confirm?: boolean | string;
  /** Running it twice does no harm: several pages may run the same call, and a page runs it again after a reload. */
  readonly repeatable?: boolean;
  /** Returns the output, which is JSON, or a promise of it. Without it a renderer answers (`api.answer`). */
  execute?(args: Readonly<Record<string, unknown>>, call: ToolCallInfo): unknown;
}

/** The page's tools by name: 1 to 64 Latin letters, digits, `_` and `-`. */
export type NitkaTools = Readonly<Record<string, NitkaTool>>;

/** The options `tools` and `pageContext` as they are now. */
export interface PageOffer {
  readonly tools?: NitkaTools | null | undefined;
  /** JSON, or a function that gives it or a promise of it. */
  readonly pageContext?: unknown;
}
