/** Apart from what reads them, which loads with the first document: who only searches never needs it. */
export type Format = "html" | "markdown" | "text" | "pdf";

const extensions = new Map<string, Format>([
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["txt", "text"],
  ["pdf", "pdf"],
]);

/** The format that a file's name tells. */
export function formatOfName(name: string): Format | undefined {
  return extensions.get(/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
}

const types = new Map<string, Format>([
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/markdown", "markdown"],
  ["text/x-markdown", "markdown"],
  ["application/pdf", "pdf"],
]);

/** The format of a response; of one that does not say it, what its address tells. */
export function formatOfType(contentType: string | undefined, url: string): Format | undefined {
  const type = (contentType ?? "").toLowerCase().split(";")[0]?.trim() ?? "";
  const byName = formatOfName(new URL(url).pathname);
  if (type === "text/plain") return byName === "markdown" ? "markdown" : "text";
  if (type === "application/octet-stream") return byName;
  return type === "" ? (byName ?? "html") : types.get(type);
}
