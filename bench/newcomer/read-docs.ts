import { readFileSync } from "node:fs";

/**
 * The code blocks in a section of a document.
 *
 * @param document its name in `docs`
 */
export function blocksIn(document: string, heading: string): readonly string[] {
  const text = readFileSync(new URL(`../../docs/${document}`, import.meta.url), "utf8");
  const section = text.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  const blocks = [...(section ?? "").matchAll(/^```\w+\n(.*?)^```/gms)].map(([, code = ""]) => code);
  if (blocks.length === 0)
    throw new Error(`docs/${document} has no code in the section «${heading}»: correct its name here.`);
  return blocks;
}

/** The block that contains a text. */
export function blockWith(blocks: readonly string[], text: string): string {
  const found = blocks.find((each) => each.includes(text));
  if (found === undefined) throw new Error(`The section has no code with «${text}»: the path of the docs has changed.`);
  return found;
}
