import type { FootnoteReference } from "mdast";
import { followFragment } from "./follow-fragment.ts";
import { useFootnotes } from "./footnotes-context.tsx";

/** The number of a footnote in the text, a link to it. */
export function FootnoteMark({ node }: { readonly node: FootnoteReference }) {
  const { numbers, firsts, noteId, markId } = useFootnotes();
  const { identifier } = node;
  return (
    <sup className="footnote-mark">
      <a
        href={`#${noteId(identifier)}`}
        id={firsts.has(node) ? markId(identifier) : undefined}
        role="doc-noteref"
        onClick={followFragment}
      >
        {numbers.get(identifier)}
      </a>
    </sup>
  );
}
