import { useEffect, useRef } from "react";
import type { KeyboardEvent } from "react";
import { canSubmitEdit, conversationOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { focusComposer } from "../primitives/focus.ts";
import { ComposerInput } from "./composer-input.tsx";

/** A composer in place of a sent question, for editing it. Submitting adds the new text as another branch. */
export function EditComposer({ threadId }: { readonly threadId: string }) {
  const { actions, words } = useChat();
  const text = useChatState((state) => conversationOf(state, threadId).edit?.text);
  const submittable = useChatState((state) => canSubmitEdit(state, threadId));
  const input = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const { current } = input;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  if (text === undefined) return null;

  const submit = () => {
    if (!submittable) return;
    if (input.current) focusComposer(input.current);
    void actions.submitEdit(threadId);
  };
  const cancel = () => actions.cancelEdit(threadId);
  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    cancel();
  };
  return (
    <form
      className="composer edit-composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <ComposerInput
        ref={input}
        aria-label={words.composer.editLabel}
        value={text}
        onText={(changed) => actions.setEditDraft(threadId, changed)}
        onSend={submit}
        onCancel={cancel}
      />
      <div className="composer-tools">
        <button type="button" className="button" onClick={cancel} onKeyDown={cancelByKey}>
          {words.composer.cancelEdit}
        </button>
        <button type="submit" className="button" data-kind="primary" disabled={!submittable} onKeyDown={cancelByKey}>
          {words.composer.submitEdit}
        </button>
      </div>
    </form>
  );
}
