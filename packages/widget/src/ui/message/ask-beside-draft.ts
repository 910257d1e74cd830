import { draftOf } from "../../store/selectors.ts";
import type { useChat } from "../chat-context.tsx";

/** Asks the question of a button and keeps the text of the draft. */
export function askBesideDraft(
  { actions, store }: Pick<ReturnType<typeof useChat>, "actions" | "store">,
  threadId: string,
  question: string,
): void {
  const { text, attachments } = draftOf(store.get(), threadId);
  void actions.sendText(threadId, question);
  // `sendText` replaces the draft's text. The text of a draft without files is put back. A draft with files was sent with the
  // question.
  if (text !== "" && attachments.length === 0) actions.setDraft(threadId, text);
}
