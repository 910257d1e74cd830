import { mimeEssence } from "./mime-type.ts";

/**
 * Whether a file matches an `accept` as in HTML: MIME types, groups of them (`image/*`) and file extensions (`.csv`),
 * separated by commas (HTML standard, section 4.10.5.1.17). An empty `accept` matches every file.
 *
 * @example
 * acceptsFile("image/*,.csv", { name: "a.png", contentType: "image/png" }) // true
 * acceptsFile("image/*,.csv", { name: "A.CSV", contentType: "" }) // true
 * acceptsFile("text/plain", { name: "a.html", contentType: "text/html" }) // false
 */
export function acceptsFile(accept: string, file: { readonly name: string; readonly contentType: string }): boolean {
  const name = file.name.toLowerCase();
  const type = mimeEssence(file.contentType);
  const patterns = accept.split(",").flatMap((pattern) => pattern.trim().toLowerCase() || []);
  return (
    patterns.length === 0 ||
    patterns.some((pattern) => {
      if (/^(\*\/)?\*$/.test(pattern)) return true;
      if (pattern.startsWith(".")) return name.endsWith(pattern);
      return pattern.endsWith("/*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
    })
  );
}
