import { draftOf } from "../../store/selectors.ts";
import type { useChat } from "../chat-context.tsx";

/** Asks what a button offers, and keeps the text of the draft. */
export function askBesideDraft(
  { actions, store }: Pick<ReturnType<typeof useChat>, "actions" | "store">,
  threadId: string,
  question: string,
): void {
  const { text, attachments } = draftOf(store.get(), threadId);
  void actions.sendText(threadId, question);
  // `sendText` sends the question in place of the draft's text: a draft without files is put back. One with files was sent with it.
  if (text !== "" && attachments.length === 0) actions.setDraft(threadId, text);
}
