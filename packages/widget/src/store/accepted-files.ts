import type { AttachmentRules } from "@nitka/protocol";
import type { Failure } from "./state.ts";

/** The fields of a file that the rules check. */
interface FileLike {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Extensions of text files for which browsers often have no MIME type. */
const TEXT_FILE =
  /\.(txt|md|markdown|csv|tsv|log|json|ya?ml|toml|ini|xml|html?|css|jsx?|tsx?|py|rb|go|rs|java|kt|c|h|cpp|sh|sql)$/i;

/**
 * The MIME type of a file, by its extension where the browser knows none.
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
  rules: Required<AttachmentRules> | undefined,
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

function refusalOf(
  file: FileLike,
  rules: Required<AttachmentRules> | undefined,
  count: number,
): Failure["kind"] | undefined {
  if (!rules) return "attachment";
  if (!isAccepted(file, rules.accept)) return "attachment_type";
  if (file.size > rules.maxBytes) return "attachment_size";
  return count >= rules.maxCount ? "attachment_count" : undefined;
}

/**
 * Whether a file matches the value of HTML's `accept` attribute. An empty value matches all files.
 *
 * @example isAccepted({ name: "a.png", type: "image/png", size: 1 }, "image/*,.pdf") // true
 */
function isAccepted(file: FileLike, accept: string): boolean {
  const patterns = accept.split(",").flatMap((pattern) => pattern.trim().toLowerCase() || []);
  const type = contentTypeOf(file).toLowerCase();
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => {
      if (pattern === "*" || pattern === "*/*") return true;
      if (pattern.startsWith(".")) return file.name.toLowerCase().endsWith(pattern);
      return pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : type.split(";")[0] === pattern;
    })
  );
}
