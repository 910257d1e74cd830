/** A long text that was pasted may become a file. A chunk that loads with the first such text. */
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import type { RefObject } from "react";
import { pasteWords } from "../../i18n/paste-words.ts";
import { useChat } from "../chat-context.tsx";

export interface LongPaste {
  readonly text: string;
  /** The draft without it: the event comes before the text. */
  readonly before: string;
  /** What was selected there. */
  readonly start: number;
  readonly end: number;
}

/** What lets plain text in. The whole rule, `acceptsFile`, is in another chunk, and says so if this was wrong. */
const TAKES_TEXT = /^\s*$|(^|,)\s*(\*|\*\/\*|text\/\*|text\/plain|\.txt)\s*(,|$)/i;

/** A button as long as the text stands in the draft as it was pasted. */
export function PasteAsFile({
  paste: { text: copied, before, start, end },
  rules,
  input,
  draft,
  onFile,
}: {
  readonly paste: LongPaste;
  readonly rules: FullAttachmentRules;
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly draft: string;
  readonly onFile: (file: File) => void;
}) {
  const { words, locale } = useChat();
  const texts = { ...pasteWords[locale], ...words.paste };
  const text = copied.replaceAll(/\r\n?/g, "\n");
  if (draft !== before.slice(0, start) + text + before.slice(end)) return null;
  const file = new File([text], `${texts.name}.txt`, { type: "text/plain" });
  if (!TAKES_TEXT.test(rules.accept) || file.size > rules.maxBytes) return null;
  return (
    <p className="composer-note">
      <button
        type="button"
        className="link-button"
        onClick={() => {
          const { current } = input;
          if (!current) return;
          current.focus();
          current.setSelectionRange(start, start + text.length);
          // The only way to delete a text so that the browser's undo brings it back.
          document.execCommand("delete");
          onFile(file);
        }}
      >
        {texts.asFile}
      </button>
    </p>
  );
}
