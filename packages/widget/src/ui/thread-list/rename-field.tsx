import { useEffect, useRef, useState } from "react";
import { MAX_TITLE_CHARS } from "@nitka/protocol/thread-title";
import { useChat } from "../chat-context.tsx";
import { isComposing } from "../primitives/is-composing.ts";

/**
 * A text field for a thread's title. Enter and blur save, Escape cancels. If saving fails, the field stays open with its text.
 */
export function RenameField({
  threadId,
  title,
  onSave,
  onDone,
}: {
  readonly threadId: string;
  readonly title: string;
  readonly onSave: () => void;
  readonly onDone: () => void;
}) {
  const { actions, store, words } = useChat();
  // Saving an unchanged text does not undo a title that another tab has set meanwhile.
  const [opened] = useState(title);
  const [text, setText] = useState(opened);
  const [saving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isClosed = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const close = () => {
    isClosed.current = true;
    onDone();
  };
  const save = async () => {
    // Closing unmounts the focused field, which blurs it. That must not save.
    if (saving || isClosed.current) return;
    const newTitle = text.trim();
    if (newTitle === "" || newTitle === opened) {
      close();
      return;
    }
    setSaving(true);
    onSave();
    await actions.renameThread(threadId, newTitle);
    setSaving(false);
    // After a failure the field does not take the focus, because the visitor may be doing something else by now.
    if (!store.get().threads.failures[threadId]) close();
  };
  return (
    <input
      ref={input}
      className="rename-field"
      dir="auto"
      aria-label={words.sidebar.renameField}
      value={text}
      maxLength={MAX_TITLE_CHARS}
      readOnly={saving}
      aria-busy={saving || undefined}
      enterKeyHint="done"
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (isComposing(event.nativeEvent)) return;
        if (event.key === "Enter") {
          event.preventDefault();
          void save();
        } else if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
      }}
    />
  );
}
