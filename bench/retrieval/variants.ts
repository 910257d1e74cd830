/**
 * Our search with one ingredient changed, without a switch in the product. A process that loads this module reads its sources
 * with the pieces replaced that `NITKA_VARIANT` names. If no source contains a piece any more, the run fails.
 */
import { registerHooks } from "node:module";

export interface Replacement {
  /** The end of the file's path. */
  readonly file: string;
  readonly piece: string;
  readonly by: string;
}

interface Variant {
  readonly name: string;
  readonly replaces: readonly Replacement[];
}

const terms = "src/words/terms.ts";
const roots = "src/words/roots.ts";
const weights = "src/words/index-passages.ts";
const search = "src/search/search-words.ts";
const index = "src/store/sql-index.ts";
const sought = "src/search/sought-words.ts";

const one = (name: string, file: string, piece: string, by: string): Variant => ({
  name,
  replaces: [{ file, piece, by }],
});

export const variants: readonly Variant[] = [
  one(
    "without stems",
    terms,
    "export function stem(word: string): string {",
    "export function stem(word: string): string {\n  if (word) return word;",
  ),
  one("without typos", sought, "withTypos && unknown.length > 0", "unknown.length < 0"),
  one(
    "title × 1, headings × 1",
    weights,
    "const TITLE = 5;\nconst HEADINGS = 2;",
    "const TITLE = 1;\nconst HEADINGS = 1;",
  ),
  {
    name: "b 0.75, k1 1.2",
    replaces: [
      { file: weights, piece: "const B = 0.3;", by: "const B = 0.75;" },
      { file: index, piece: "const SATURATION = 1;", by: "const SATURATION = 1.2;" },
    ],
  },
  one("without word families", sought, "const FAMILY = 0.6;", "const FAMILY = 0;"),
  one("without Russian roots", roots, "if (/[^а-я]/.test(stem)) return stem;", "if (stem) return stem;"),
  one("without synonyms", terms, "return synonyms.get(rootOf(key)) ?? new Set();", "return new Set();"),
  one("without the title's share", search, "const TITLE_SHARE = 0.3;", "const TITLE_SHARE = 0;"),
  one("stop words count in full", sought, "const STOP_WORD = 0.2;", "const STOP_WORD = 1;"),
  one(
    "the other keyboard layout is not tried",
    sought,
    "if (found.groups.length > 0) return found;",
    "if (found) return found;",
  ),
];

const named = process.env["NITKA_VARIANT"];
if (named) {
  const replaces = JSON.parse(named) as readonly Replacement[];
  const left = new Set(replaces);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = replaces.filter(({ file }) => url.endsWith(file));
      if (own.length === 0) return loaded;
      let source = Buffer.from((loaded.source ?? "") as Uint8Array).toString();
      for (const each of own) {
        if (source.includes(each.piece)) left.delete(each);
        source = source.replace(each.piece, () => each.by);
      }
      return { ...loaded, source };
    },
  });
  process.once("exit", () => {
    for (const { file, piece } of left) {
      console.error(`${file} has no «${piece}» any more.`);
      process.exitCode = 1;
    }
  });
}
