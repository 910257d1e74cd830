import { useEffect, useState } from "react";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnouncer } from "../primitives/announcer.tsx";
import { createAnswerSentences } from "./answer-sentences.ts";

/** How much of a run's answer has been announced. */
interface Progress {
  readonly questionId: string;
  /** The server may change the answer's id and end it within one frame. Its key does not change. */
  readonly answerKey: string;
  readonly sentences: ReturnType<typeof createAnswerSentences>;
}

/**
 * Announces the answer of the open thread to screen readers, sentence by sentence, while it is written. If the visitor returns
 * to a thread whose answer was announced in part, only text written from then on is announced. Renders nothing.
 *
 * @param asked the last question since the thread was opened; its answer may be complete by the time this code has loaded
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
      // The failure's own box, which is an alert, announces it.
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
