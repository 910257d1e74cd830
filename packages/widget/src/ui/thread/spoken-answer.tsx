import { useEffect, useState } from "react";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnouncer } from "../primitives/announcer.tsx";
import { createAnswerSentences } from "./answer-sentences.ts";

/** How far the answer of one run has been announced. */
interface Progress {
  readonly questionId: string;
  /** The server may give the answer another id and end it within one frame: its key stays the same. */
  readonly answerKey: string;
  readonly sentences: ReturnType<typeof createAnswerSentences>;
}

/**
 * Announces the answer of the open thread to screen readers, sentence by sentence, while it is written. When the visitor
 * comes back to a thread whose answer was announced in part, only the text that is written from then on is announced. Shows
 * nothing.
 *
 * @param asked the last question since the thread was opened: its answer may be whole by the time that this code has loaded
 */
export function SpokenAnswer({ threadId, asked }: { readonly threadId: string; readonly asked: string | undefined }) {
  const { store, words } = useChat();
  const { announce, markAnnounced } = useAnnouncer();
  const [firstAsked] = useState(asked);
  useEffect(() => {
    let progress: Progress | undefined;
    let mounted = true;
    let isFirst = true;
    const announceAll = (texts: readonly string[]) => {
      for (const text of texts) announce(text, () => mounted);
    };
    const onChange = () => {
      const conversation = conversationOf(store.get(), threadId);
      const { run } = conversation;
      const answerWith = (key: string) =>
        conversation.messages.findLast((message) => keyOf(conversation, message.id) === key);

      if (run && run.questionId !== progress?.questionId) {
        const answerKey = keyOf(conversation, run.answerId);
        progress = { questionId: run.questionId, answerKey, sentences: createAnswerSentences() };
        if (markAnnounced(answerKey)) announce(words.message.writing, () => mounted && progress !== undefined);
        else progress.sentences.take(answerWith(answerKey));
      }
      const missed =
        isFirst && !run && conversation.messages.findLast(({ parentId }) => firstAsked && parentId === firstAsked);
      isFirst = false;
      if (missed && markAnnounced(keyOf(conversation, missed.id))) {
        const answerKey = keyOf(conversation, missed.id);
        progress = { questionId: "", answerKey, sentences: createAnswerSentences() };
      }
      if (!progress) return;
      const answer = answerWith(progress.answerKey);
      announceAll(progress.sentences.take(answer));
      if (run) return;
      announceAll(progress.sentences.flush());
      progress = undefined;
      // A failure is announced by its own box, which is an alert.
      if (answer?.status?.type !== "incomplete") announceAll([words.message.answered]);
      else if (answer.status.reason === "cancelled") announceAll([words.message.cancelled]);
    };
    onChange();
    const unsubscribe = store.subscribe(onChange);
    return () => {
      unsubscribe();
      mounted = false;
    };
  }, [announce, markAnnounced, store, threadId, words, firstAsked]);
  return null;
}
