import type { ToolExecutionOptions, ToolSet } from "ai";
import type { VisitorIdentity } from "../visitor-token.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { plainResult } from "./plain-result.ts";
import { MessageTooLargeError } from "./watch-response.ts";

/**
 * The tools of a server without the envelope of MCP: their results are as `plainResult` has them, an error result is thrown.
 *
 * @param run.visitor whom the calls serve
 * @param run.report called with the error of a tool call that did not get through
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

/** Yields whenever the call makes progress, as the AI SDK's tools do with preliminary results, and the result at its end. */
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
 * Replaces transport errors, because the visitor reads what is thrown here, and a transport error may contain the server's
 * address, request headers or a page of a proxy. It goes to the log. Errors that the server itself sends have a code.
 * Which message was too large is of use to the model too: it may ask for less.
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

/** The tool without the AI SDK's form of its results for the model, which has bytes of files as text. */
function withoutModelOutput(tool: ToolSet[string]) {
  const { toModelOutput: _, ...rest } = tool;
  return rest;
}
