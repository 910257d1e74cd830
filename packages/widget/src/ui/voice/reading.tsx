import type { Message } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { useEffect, useSyncExternalStore } from "react";
import { voiceWords } from "../../i18n/voice-words.ts";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import type { Conversation } from "../../store/state.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import type { AnswerSentences, ReadingState } from "./reading-state.ts";
import { readingLanguage } from "./speech-language.ts";
import { startReading } from "./start-reading.ts";

/** Reads the chosen answer of the open thread aloud, until it is unmounted with the thread. Renders nothing. */
export function Reading({
  threadId,
  reading,
  createSentences,
}: {
  readonly threadId: string;
  readonly reading: ReadingState;
  readonly createSentences: (names: { readonly code: string; readonly formula: string }) => AnswerSentences;
}) {
  const { store, words, locale, language } = useChat();
  const announce = useAnnounce();
  const chosen = useSyncExternalStore(reading.subscribe, reading.get);
  const isPanelOpen = useChatState((state) => state.panelOpen);
  const key = chosen?.problem === undefined ? chosen?.key : undefined;
  useEffect(() => {
    if (key === undefined) return undefined;
    if (!isPanelOpen) return reading.set(() => undefined);
    const answerNow = () => shownAnswer(conversationOf(store.get(), threadId), key);
    const languageNow = () => readingLanguage(textOfAnswer(answerNow()), language, navigator.languages);
    const sentences = createSentences(
      languageNow().startsWith("ru") ? { code: "Код.", formula: "формула" } : { code: "Code.", formula: "formula" },
    );
    const { add, stop } = startReading({
      language: languageNow,
      onEnd(problem) {
        const texts = { ...voiceWords[locale], ...words.voice };
        reading.set(() => (problem && problem !== "readToEnd" ? { key, problem } : undefined));
        if (problem) announce(texts[problem]);
      },
    });
    let isWhole = false;
    const onChange = () => {
      const answer = answerNow();
      // The visitor has switched to another version of the answer.
      if (!answer) return reading.set(() => undefined);
      if (isWhole) return undefined;
      const { run } = conversationOf(store.get(), threadId);
      isWhole = run?.answerId !== answer.id && answer.status?.type !== "running";
      const isCiting = partsOf(answer).some((part) => part.type === "source" && part.n !== undefined);
      const taken = [...sentences.take(answer), ...(isWhole ? sentences.flush() : [])];
      return add(isCiting ? taken.map(withoutCitations) : taken, isWhole);
    };
    const unsubscribe = store.subscribe(onChange);
    onChange();
    return () => {
      unsubscribe();
      stop();
    };
  }, [key, isPanelOpen, reading, createSentences, store, threadId, locale, language, words, announce]);
  return null;
}

/** The answer with this key, if it is in the shown branch. */
function shownAnswer(conversation: Conversation, key: string): Message | undefined {
  const byId = new Map(conversation.messages.map((message) => [message.id, message]));
  let message = byId.get(conversation.headId ?? "") ?? conversation.messages.at(-1);
  while (message && keyOf(conversation, message.id) !== key) message = byId.get(message.parentId ?? "");
  return message;
}

function textOfAnswer(answer: Message | undefined): string {
  return answer
    ? partsOf(answer)
        .map((part) => (part.type === "text" ? part.text : ""))
        .join("")
    : "";
}

/** Removes the numbers of sources, which are links and meaningless when heard. */
function withoutCitations(sentence: string): string {
  return sentence.replaceAll(/\s?\[\d+(?:,\s*\d+)*\]/g, "");
}
