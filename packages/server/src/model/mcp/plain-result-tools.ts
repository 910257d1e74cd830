import type { ToolExecutionOptions, ToolSet } from "ai";
import type { VisitorIdentity } from "../visitor-token.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { plainResult } from "./plain-result.ts";
import { MessageTooLargeError } from "./watch-response.ts";

/**
 * The tools of a server without MCP's envelope: a result is converted by `plainResult`, and an error result is thrown.
 *
 * @param run.visitor the visitor whom the calls serve
 * @param run.report called with the error of a tool call that did not reach the server
 */
export function plainResultTools(
  connection: McpConnection,
  { visitor, report }: { readonly visitor: VisitorIdentity | undefined; readonly report: (error: unknown) => void },
): ToolSet {
  return Object.fromEntries(
    Object.entries(connection.tools).map(([name, tool]) => [
      name,
      {
        ...withoutModelOutput(tool),
        execute: (input: unknown, options: ToolExecutionOptions<unknown>) =>
          progressing(async (onProgress) => {
            const result = await hidingTransportErrors(
              () => connection.callTool(name, input, { visitor, options, onProgress }),
              report,
            );
            return plainResult(result);
          }),
      },
    ]),
  ) as ToolSet;
}

/**
 * Yields `undefined` whenever the call makes progress, like the AI SDK's tools with preliminary results, and the result
 * at its end.
 */
async function* progressing(
  call: (onProgress: () => void) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let progress = Promise.withResolvers<void>();
  const result = call(() => progress.resolve());
  const over = result.then(() => true);
  while (!(await Promise.race([over, progress.promise]))) {
    progress = Promise.withResolvers();
    yield undefined;
  }
  yield await result;
}

/**
 * Replaces transport errors, because the visitor reads the thrown message, and a transport error may contain the
 * server's address, request headers or a proxy's page. The original goes to the log. Errors that the server itself
 * sends have a code. The error for a too large message stays: with it the model may ask for less.
 */
async function hidingTransportErrors(call: () => Promise<unknown>, report: (error: unknown) => void): Promise<unknown> {
  try {
    return await call();
  } catch (cause) {
    if (typeof (cause as { readonly code?: unknown } | null)?.code === "number") throw cause;
    report(cause);
    if (cause instanceof MessageTooLargeError) throw cause;
    throw new Error("The tool's server could not be asked", { cause });
  }
}

/** The tool without `toModelOutput`, with which the AI SDK would send the bytes of files to the model as text. */
function withoutModelOutput(tool: ToolSet[string]) {
  const { toModelOutput: _, ...rest } = tool;
  return rest;
}
