import type { ToolExecutionOptions, ToolSet } from "ai";
import type { VisitorIdentity } from "../visitor-identity.ts";
import type { McpConnection } from "./mcp-connection.ts";

/**
 * The tools of a server without the envelope of MCP: a result of text parts becomes that text, an error result is thrown.
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
        ...tool,
        execute: (input: unknown, options: ToolExecutionOptions<unknown>) =>
          progressing(async (onProgress) => {
            const result = await hidingTransportErrors(
              () => connection.callTool(name, input, { visitor, options, onProgress }),
              report,
            );
            const text = plainText(result);
            if (isErrorResult(result)) throw new Error(text ?? "The tool failed and did not say why");
            return text ?? result;
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
 */
async function hidingTransportErrors(call: () => Promise<unknown>, report: (error: unknown) => void): Promise<unknown> {
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
