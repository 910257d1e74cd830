/**
 * The essence of a MIME type: type and subtype in lower case, without parameters (MIME Sniffing standard, section 4.1).
 *
 * @example mimeEssence("Text/CSV; charset=utf-8") // "text/csv"
 */
export function mimeEssence(mimeType: string): string {
  return mimeType.replace(/;.*/s, "").trim().toLowerCase();
}

/**
 * Whether files of a MIME type are text that a model can read directly: `text/*`, JSON, XML, YAML, TOML, JavaScript and
 * SQL.
 *
 * @example
 * isTextType("image/svg+xml") // true
 * isTextType("application/pdf") // false
 */
export function isTextType(mimeType: string): boolean {
  return /^(text\/|(application|image)\/(.+\+)?(json|xml|yaml|x-yaml|toml|javascript|sql)$)/.test(
    mimeEssence(mimeType),
  );
}
