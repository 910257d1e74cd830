import type { FullAttachmentRules } from "@nitka/protocol/attachment-rules";
import { useEffect, useState } from "react";
import type { RefObject } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { LongPaste } from "./paste-as-file.tsx";
import { pastedFiles } from "./transferred-files.ts";

const loadPastedText = loadChunk(() => import("./paste-as-file.tsx"));

/** The length above which a pasted text may become a file. */
const LONG_PASTE_CHARS = 4000;

/** Comforts of writing that a composer works without: a long text becomes a file, and a click beside the field focuses it. */
export function ComposerExtras({
  input,
  rules,
  draft,
  onFile,
}: {
  readonly input: RefObject<HTMLTextAreaElement | null>;
  readonly rules: FullAttachmentRules | undefined;
  readonly draft: string;
  readonly onFile: (file: File) => void;
}) {
  const [longPaste, setLongPaste] = useState<LongPaste>();
  const pasted = useLoaded(longPaste && loadPastedText);
  useEffect(() => {
    const field = input.current;
    const over = new AbortController();
    const { signal } = over;
    const onPaste = ({ clipboardData }: ClipboardEvent) => {
      const text = clipboardData?.getData("text/plain") ?? "";
      if (field && clipboardData && text.length > LONG_PASTE_CHARS && pastedFiles(clipboardData).length === 0)
        setLongPaste({ text, before: field.value, start: field.selectionStart, end: field.selectionEnd });
    };
    const focus = (event: MouseEvent) => {
      // The composer shows a text cursor around the field and between the buttons, which are its last child. A press on a
      // button, a text or the field itself keeps its meaning.
      if (event.target !== field?.form && event.target !== field?.form?.lastElementChild) return;
      event.preventDefault();
      field?.focus();
    };
    field?.addEventListener("paste", onPaste, { signal });
    field?.form?.addEventListener("mousedown", focus, { signal });
    return () => over.abort();
  }, [input]);
  return (
    pasted.value &&
    longPaste &&
    rules && <pasted.value.PasteAsFile paste={longPaste} rules={rules} input={input} draft={draft} onFile={onFile} />
  );
}
