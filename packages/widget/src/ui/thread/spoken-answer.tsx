import type { Message } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { useEffect } from "react";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnouncer } from "../primitives/announcer.tsx";
import { createSentences } from "./sentences.ts";

/**
 * Says the answer of the shown thread to screen readers, sentence by sentence, as it is written: of a thread that is
 * opened again in the middle of one, what is written from then on. Shows nothing.
 */
export function SpokenAnswer({ threadId }: { readonly threadId: string }) {
  const { store, words } = useChat();
  const { announce, isNew } = useAnnouncer();
  useEffect(() => {
    let questionId: string | undefined;
    let sentences = createSentences();
    let partIndex = 0;
    let said = 0;
    // The server may give the answer another id while it is written, and end it, within one frame.
    let answerKey = "";
    // What was written before is there to be read.
    let muted = false;
    let shown = true;
    const isShown = () => shown;

    const say = (texts: readonly string[]) => {
      if (!muted) for (const text of texts) announce(text, isShown);
    };
    const hear = (answer: Message | undefined) => {
      const parts = answer ? partsOf(answer) : [];
      for (; partIndex < parts.length; partIndex += 1, said = 0) {
        const part = parts[partIndex];
        if (part?.type === "text") {
          if (part.text.length > said) say(sentences.push(part.text.slice(said)));
          said = part.text.length;
          if (partIndex < parts.length - 1) say(sentences.flush());
        }
        if (partIndex === parts.length - 1) return;
      }
    };
    const onChange = () => {
      const conversation = conversationOf(store.get(), threadId);
      const { run } = conversation;
      if (run && run.questionId !== questionId) {
        questionId = run.questionId;
        sentences = createSentences();
        partIndex = 0;
        said = 0;
        answerKey = keyOf(conversation, run.answerId);
        muted = !isNew(answerKey);
        if (!muted) announce(words.message.writing, () => shown && questionId !== undefined);
      }
      if (questionId === undefined) return;
      const answer = conversation.messages.findLast((message) => keyOf(conversation, message.id) === answerKey);
      hear(answer);
      muted = false;
      if (run) return;
      questionId = undefined;
      say(sentences.flush());
      // What else may have come of it says itself, in its red box.
      if (answer?.status?.type !== "incomplete") say([words.message.answered]);
      else if (answer.status.reason === "cancelled") say([words.message.cancelled]);
    };
    onChange();
    const stop = store.subscribe(onChange);
    return () => {
      stop();
      shown = false;
    };
  }, [announce, isNew, store, threadId, words]);
  return null;
}
