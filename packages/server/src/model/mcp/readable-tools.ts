import type { ToolSet } from "ai";
import type { McpConnection } from "./mcp-connection.ts";

/**
 * A server's tools with results for people: what is nothing but text is that text, what is an error is thrown.
 *
 * @param report told of a call that did not get through
 */
export function readableTools(connection: McpConnection, report: (error: unknown) => void): ToolSet {
  return Object.fromEntries(
    Object.entries(connection.tools).map(([name, tool]) => [
      name,
      {
        ...tool,
        execute: async (input: unknown, options: unknown) => {
          const result = await answered(() => connection.call(name, input, options), report);
          const text = plainText(result);
          if (isErrorResult(result)) throw new Error(text ?? "The tool failed and did not say why");
          return text ?? result;
        },
      },
    ]),
  ) as ToolSet;
}

/**
 * Why a call did not get through is for the log: it may hold the server's address, its pages and the headers that it was
 * sent, and the visitor reads what is thrown here. What the server itself says of the call has a code.
 */
async function answered(call: () => Promise<unknown>, report: (error: unknown) => void): Promise<unknown> {
  try {
    return await call();
  } catch (cause) {
    if (typeof (cause as { readonly code?: unknown } | null)?.code === "number") throw cause;
    report(cause);
    throw new Error("The tool's server could not be asked", { cause });
  }
}

function plainText(result: unknown): string | undefined {
  const content = (result as { readonly content?: unknown } | null)?.content;
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const texts = content.map((part: { readonly type?: unknown; readonly text?: unknown }) =>
    part.type === "text" && typeof part.text === "string" ? part.text : undefined,
  );
  return texts.every((text) => text !== undefined) ? texts.join("\n") : undefined;
}

function isErrorResult(result: unknown): boolean {
  return (result as { readonly isError?: unknown } | null)?.isError === true;
}
