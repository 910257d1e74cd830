import type { AttachmentRules } from "@nitka/protocol";
import type { Failure } from "./state.ts";

/** The part of a file that the rules look at. */
interface FileLike {
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/** Text files that browsers often know no type for. */
const TEXT_FILE =
  /\.(txt|md|markdown|csv|tsv|log|json|ya?ml|toml|ini|xml|html?|css|jsx?|tsx?|py|rb|go|rs|java|kt|c|h|cpp|sh|sql)$/i;

/** The MIME type of a file, also where the browser knows none. */
export function contentTypeOf(file: FileLike): string {
  if (file.type !== "") return file.type;
  return TEXT_FILE.test(file.name) ? "text/plain" : "application/octet-stream";
}

/**
 * Which of these files a message may take beside those that it has, and why not the others.
 *
 * @returns the first refusal, if there is one
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

/** Whether HTML's `accept` attribute would offer this file. An empty one offers all. */
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
