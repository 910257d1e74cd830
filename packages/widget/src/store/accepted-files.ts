import { acceptsFile } from "@nitka/protocol/accepts-file";
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import type { Failure } from "./state.ts";

/** The fields of a file that the rules use. */
interface FileLike {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Extensions of text files that often have no MIME type in browsers. */
const TEXT_FILE =
  /\.(txt|md|markdown|csv|tsv|log|json|ya?ml|toml|ini|xml|html?|css|jsx?|tsx?|py|rb|go|rs|java|kt|c|h|cpp|sh|sql)$/i;

/**
 * The MIME type of a file. If the browser knows none, the file's extension decides.
 *
 * @example contentTypeOf({ name: "notes.md", type: "", size: 1 }) // "text/plain"
 */
export function contentTypeOf(file: FileLike): string {
  if (file.type !== "") return file.type;
  return TEXT_FILE.test(file.name) ? "text/plain" : "application/octet-stream";
}

/**
 * Which of these files a message may take, if it has `count` files already.
 *
 * @returns the accepted files, and why the first of the others was refused
 *
 * @example acceptFiles([png, exe], { accept: "image/*", maxBytes: 1e6, maxCount: 5 }, 0)
 *   // { accepted: [png], failure: { kind: "attachment_type", detail: "setup.exe" } }
 */
export function acceptFiles<F extends FileLike>(
  files: readonly F[],
  rules: FullAttachmentRules | undefined,
  count: number,
): { readonly accepted: readonly F[]; readonly failure?: Failure } {
  const accepted: F[] = [];
  let failure: Failure | undefined;
  for (const file of files) {
    const kind = refusalOf(file, rules, count + accepted.length);
    if (kind === undefined) accepted.push(file);
    else failure ??= { kind, detail: file.name };
  }
  return failure === undefined ? { accepted } : { accepted, failure };
}

function refusalOf(file: FileLike, rules: FullAttachmentRules | undefined, count: number): Failure["kind"] | undefined {
  if (!rules) return "attachment";
  if (!acceptsFile(rules.accept, { name: file.name, contentType: contentTypeOf(file) })) return "attachment_type";
  if (file.size > rules.maxBytes) return "attachment_size";
  return count >= rules.maxCount ? "attachment_count" : undefined;
}
