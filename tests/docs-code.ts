import { readFileSync } from "node:fs";

/**
 * The blocks of code in a section of a document, up to the next heading.
 *
 * @param document its name in `docs`
 * @param heading without its signs
 */
export function codeIn(document: string, heading: string): readonly string[] {
  const text = readFileSync(new URL(`../docs/${document}`, import.meta.url), "utf8");
  const [, section = ""] = text.split(new RegExp(`^#+ ${heading}$`, "m"));
  const [own = ""] = section.split(/^#+ /m);
  return [...own.matchAll(/^```\w+\n(.*?)^```/gms)].map(([, code = ""]) => code);
}
