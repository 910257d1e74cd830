/** Apart from what reads them, which loads with the first document: who only searches never needs it. */
export type Format = "html" | "markdown" | "text" | "pdf";

const extensions: Readonly<Record<string, Format>> = {
  html: "html",
  htm: "html",
  xhtml: "html",
  md: "markdown",
  markdown: "markdown",
  txt: "text",
  pdf: "pdf",
};

/** The format that a file's name tells. */
export function formatOfName(name: string): Format | undefined {
  return extensions[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""];
}

/** The format of a response; of one that does not say it, what its address tells. */
export function formatOfType(contentType: string | undefined, url: string): Format | undefined {
  const [type = ""] = (contentType ?? "").toLowerCase().split(";");
  switch (type.trim()) {
    case "text/html":
    case "application/xhtml+xml":
      return "html";
    case "text/markdown":
    case "text/x-markdown":
      return "markdown";
    case "application/pdf":
      return "pdf";
    case "text/plain":
      return formatOfName(new URL(url).pathname) === "markdown" ? "markdown" : "text";
    case "":
    case "application/octet-stream":
      return formatOfName(new URL(url).pathname) ?? (type === "" ? "html" : undefined);
    default:
      return undefined;
  }
}
