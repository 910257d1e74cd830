import { dataUrlOf } from "@nitka/protocol/data-url";

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
export function plainResult(result: unknown): unknown {
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
