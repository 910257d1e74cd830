/** Schemas of strings that several fields of the file share. */
import { z } from "zod";

export const text = z.string().min(1);
export const link = z.string().refine(isLink, "a URL that a page may open");

export const headers = z
  .record(
    z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "a header's name"),
    z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, "a value that a header may have"),
  )
  .exactOptional();

function isLink(value: string): boolean {
  const url = URL.parse(value, "https://nitka.example/");
  return url !== null && !/^(?:javascript|data|vbscript):$/.test(url.protocol);
}

/** Whether a URL is http or https without credentials, which `fetch` refuses. */
export function isHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
}
