import type { ToolExecutionOptions, ToolSet } from "ai";
import type { VisitorIdentity } from "../visitor-token.ts";
import type { McpConnection } from "./mcp-connection.ts";
import { MessageTooLargeError } from "./watch-response.ts";
import { dataUrlOf } from "@nitka/protocol/data-url";

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
              (cause) => report(new Error(`A call of the tool ${name} failed on the way`, { cause })),
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
    throw new Error("The tool's server could not be reached", { cause });
  }
}

/** The tool without `toModelOutput`, with which the AI SDK would send the bytes of files to the model as text. */
function withoutModelOutput(tool: ToolSet[string]) {
  const { toModelOutput: _, ...rest } = tool;
  return rest;
}

/** The most files of one result. */
const MAX_FILES = 16;

/** A part of MCP's content. Its fields depend on its type. */
interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly mimeType?: unknown;
  readonly resource?: { readonly uri?: unknown; readonly mimeType?: unknown; readonly blob?: unknown };
}

/**
 * The result of a tool without MCP's envelope: the text if there is nothing else, or the content, in which images,
 * audio and resource blobs become files of the form `ToolFile`.
 *
 * @throws Error with the text of a failed tool
 */
function plainResult(result: unknown): unknown {
  const { content, isError } = (result ?? {}) as { readonly content?: unknown; readonly isError?: unknown };
  const parts = (Array.isArray(content) ? content : []) as readonly ContentPart[];
  const texts = parts.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  if (isError === true) throw new Error(texts.join("\n").trim() || "The tool failed and did not say why.");
  if (parts.length === 0) return result;
  if (texts.length === parts.length) return texts.join("\n");
  let files = 0;
  const plain = parts.map((part) => {
    const file = fileOf(part);
    if (!file) return part;
    files += 1;
    return files > MAX_FILES ? { type: "text", text: "(One more file was left out.)" } : file;
  });
  return { content: plain };
}

function fileOf({ type, data, mimeType, resource }: ContentPart): object | undefined {
  if ((type === "image" || type === "audio") && typeof data === "string") {
    return { type, mimeType: typed(mimeType), url: dataUrlOf(typed(mimeType), data) };
  }
  if (type !== "resource" || typeof resource?.blob !== "string") return undefined;
  const blobType = typed(resource.mimeType);
  return { type: "file", uri: resource.uri, mimeType: blobType, url: dataUrlOf(blobType, resource.blob) };
}

function typed(mimeType: unknown): string {
  return typeof mimeType === "string" && mimeType !== "" ? mimeType : "application/octet-stream";
}
