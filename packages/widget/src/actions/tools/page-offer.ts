/** What the host page offers the assistant. */
import { MAX_PAGE_TOOLS, TOOL_NAME } from "@nitka/protocol/page-tool";

/** What a page's tool learns about its call. */
export interface ToolCallInfo {
  /** Aborts when the call is obsolete: its answer has ended, or another page has answered. */
  readonly signal: AbortSignal;
  readonly threadId: string;
  readonly toolCallId: string;
}

/** A function of the page that the model may call. */
export interface NitkaTool {
  /** Tells the model what the tool does and when to call it. */
  readonly description: string;
  /** The JSON Schema of the arguments, which are an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The tool's name for people, in the question whether it may run. */
  readonly title?: string;
  /** Whether the visitor is asked before each call. A string is the text of the question. */
  readonly confirm?: boolean | string;
  /**
   * Whether running the tool twice does no harm. Several pages may then run the same call, and a page runs it again after a
   * reload.
   */
  readonly repeatable?: boolean;
  /** Returns the output as JSON, or a promise of it. Without `execute` a renderer answers (`api.answer`). */
  execute?(args: Readonly<Record<string, unknown>>, call: ToolCallInfo): unknown;
}

/** The page's tools by name. A name has 1 to 64 Latin letters, digits, `_` and `-`. */
export type NitkaTools = Readonly<Record<string, NitkaTool>>;

/** The current values of the options `tools` and `pageContext`. */
export interface PageOffer {
  readonly tools?: NitkaTools | null | undefined;
  /** JSON, or a function that returns it or a promise of it. */
  readonly pageContext?: unknown;
}

/** The fields of a tool, and the types that each may have. */
const fields = {
  description: "string",
  parameters: "object",
  title: "string or undefined",
  confirm: "boolean, string or undefined",
  repeatable: "boolean or undefined",
  execute: "function or undefined",
} satisfies { readonly [F in keyof Required<NitkaTool>]: string };

/**
 * The tools that can be used. What is wrong with the others is reported.
 *
 * @example
 * checkTools({ buy: { description: "Buys", parameters: {}, execute: 5 } }, report) // {}
 * // and report is called with: Nitka: tools.buy.execute must be function or undefined, not 5.
 */
export function checkTools(tools: NitkaTools, report: (error: TypeError) => void): NitkaTools {
  const usable = Object.entries(tools).filter(([name, tool]) => {
    const problem = problemOf(name, tool);
    if (problem !== undefined) report(new TypeError(`Nitka: ${problem}.`));
    return problem === undefined;
  });
  if (usable.length > MAX_PAGE_TOOLS) {
    report(new TypeError(`Nitka: tools must be at most ${MAX_PAGE_TOOLS}, not ${usable.length}.`));
  }
  return Object.fromEntries(usable.slice(0, MAX_PAGE_TOOLS));
}

function problemOf(name: string, tool: unknown): string | undefined {
  if (!TOOL_NAME.test(name)) return `a tool's name must be 1 to 64 of A-Z a-z 0-9 _ -, not "${name}"`;
  const given = Object(tool) as Readonly<Record<string, unknown>>;
  for (const [field, kinds] of Object.entries(fields)) {
    const value = given[field] ?? undefined;
    const kind = Array.isArray(value) ? "array" : typeof value;
    if (!kinds.includes(kind)) {
      const shown = /string|number/.test(kind) ? JSON.stringify(value) : `of the type ${kind}`;
      return `tools.${name}.${field} must be ${kinds}, not ${shown}`;
    }
  }
  return undefined;
}
