/**
 * Files in the output of a tool. They are in its `content`, as in MCP, with an address in place of their bytes: a data
 * URL until they are stored, then the address of the stored file.
 */

/** A part of the content that is a file. */
export interface ToolFile {
  readonly type: "image" | "audio" | "file";
  readonly mimeType: string;
  readonly url: string;
  /** The file's origin, as the tool names it. */
  readonly uri?: string | undefined;
}

const types: ReadonlySet<unknown> = new Set<ToolFile["type"]>(["image", "audio", "file"]);

export function toolFilesOf(output: unknown): readonly ToolFile[] {
  return contentOf(output).filter(isToolFile);
}

/** The output with each file replaced. */
export function withToolFiles(output: unknown, change: (file: ToolFile) => object): unknown {
  if (toolFilesOf(output).length === 0) return output;
  const content = contentOf(output).map((part) => (isToolFile(part) ? change(part) : part));
  return { ...(output as object), content };
}

function contentOf(output: unknown): readonly unknown[] {
  const content = (output as { readonly content?: unknown } | null | undefined)?.content;
  return Array.isArray(content) ? content : [];
}

function isToolFile(part: unknown): part is ToolFile {
  const { type, mimeType, url } = (part ?? {}) as Partial<ToolFile>;
  return types.has(type) && typeof mimeType === "string" && typeof url === "string";
}
