import type { FoundPassage } from "../store/knowledge-store.ts";

/** The words of a text fragment: enough to be found once in a page. */
const FRAGMENT_WORDS = 8;

/**
 * The address that leads to a passage: to its element by `#id`, else to its first words by a text fragment (URL Fragment Text
 * Directives, WICG).
 */
export function passageUrl({ url, anchor, text }: FoundPassage): string {
  const page = url.replace(/#.*$/s, "");
  // `page=3` is what the viewers of PDF understand.
  if (anchor !== undefined) return `${page}#${encodeURIComponent(anchor).replaceAll("%3D", "=")}`;
  if (url.endsWith(".pdf")) return page;
  // The words of a fragment stand in one block of the page, and so in one cell of a table.
  const [block = ""] = text.trim().split(/\n| \| /);
  const words = block.split(/\s+/).slice(0, FRAGMENT_WORDS).join(" ");
  if (words === "") return page;
  // Hyphens and commas have a meaning in the directive.
  return `${page}#:~:text=${encodeURIComponent(words).replaceAll("-", "%2D")}`;
}
