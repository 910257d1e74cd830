import type { FootnoteDefinition } from "mdast";
import { memo } from "react";
import { useChat } from "../chat-context.tsx";
import { followFragment } from "./follow-fragment.ts";
import { useFootnotes } from "./footnotes-context.tsx";
import { renderNodes } from "./render-node.tsx";

/** The footnotes of a text, at its end. */
export function FootnotesSection() {
  const { notes, noteId, markId } = useFootnotes();
  const { words } = useChat();
  if (notes.length === 0) return null;
  return (
    <section className="footnotes" role="doc-endnotes" aria-label={words.markdown.footnotes}>
      <ol>
        {notes.map((note) => (
          <Note key={note.identifier} note={note} noteId={noteId(note.identifier)} markId={markId(note.identifier)} />
        ))}
      </ol>
    </section>
  );
}

const Note = memo(function Note({
  note,
  noteId,
  markId,
}: {
  readonly note: FootnoteDefinition;
  readonly noteId: string;
  readonly markId: string;
}) {
  const { words } = useChat();
  const last = note.children.at(-1);
  const back = (
    <a
      className="footnote-back"
      href={`#${markId}`}
      role="doc-backlink"
      aria-label={words.markdown.backToText}
      onClick={followFragment}
    >
      ↩
    </a>
  );
  // The back link is in the last paragraph. After any other last block it has a line of its own.
  const endsInText = last?.type === "paragraph";
  return (
    <li id={noteId} tabIndex={-1}>
      {renderNodes(endsInText ? note.children.slice(0, -1) : note.children)}
      {endsInText ? (
        <p>
          {renderNodes(last.children)} {back}
        </p>
      ) : (
        back
      )}
    </li>
  );
});
