import { useEffect, useRef, useState } from "react";
import { useChat } from "../chat-context.tsx";
import { isComposing } from "../primitives/is-composing.ts";

const MAX_TITLE_LENGTH = 200;

/** A thread's title as a field: Enter saves, Escape leaves, and what could not be saved stays to be tried again. */
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
  const [text, setText] = useState(title);
  const [saving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const left = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const leave = () => {
    left.current = true;
    onDone();
  };
  const save = async () => {
    if (saving || left.current) return;
    const next = text.trim();
    if (next === "" || next === title) return leave();
    setSaving(true);
    onSave();
    await actions.renameThread(threadId, next);
    setSaving(false);
    // The field stays open, but whoever has gone on elsewhere is not called back.
    return store.get().threads.failures[threadId] ? undefined : leave();
  };
  return (
    <input
      ref={input}
      className="rename-field"
      dir="auto"
      aria-label={words.sidebar.renameField}
      value={text}
      maxLength={MAX_TITLE_LENGTH}
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
          leave();
        }
      }}
    />
  );
}
