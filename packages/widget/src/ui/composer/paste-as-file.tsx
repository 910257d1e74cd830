/** The offer to turn a long pasted text into a file. This chunk loads with the first such text. */
import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import type { RefObject } from "react";
import { pasteWords } from "../../i18n/paste-words.ts";
import { useChat } from "../chat-context.tsx";

export interface LongPaste {
  readonly text: string;
  /** The draft without the pasted text: the event comes before the text. */
  readonly before: string;
  /** The start of the selection. */
  readonly start: number;
  readonly end: number;
}

/**
 * A quick check whether plain text is accepted. The full rule, `acceptsFile`, is in another chunk and reports an error if this
 * check was wrong.
 */
const TAKES_TEXT = /^\s*$|(^|,)\s*(\*|\*\/\*|text\/\*|text\/plain|\.txt)\s*(,|$)/i;

/** A button that is shown as long as the draft contains the text as it was pasted. */
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
          // Only this way of deleting text can be undone with the browser's undo.
          document.execCommand("delete");
          onFile(file);
        }}
      >
        {texts.asFile}
      </button>
    </p>
  );
}
