import { MAX_PAGE_TOOLS, TOOL_NAME } from "@nitka/protocol/page-tool";
import type { NitkaTool, NitkaTools } from "./page-offer.ts";

/** The fields of a tool, and what each may be. */
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
