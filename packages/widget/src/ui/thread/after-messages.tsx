/** What a thread has beside its messages. This chunk loads once they are shown. */
import { createStore } from "../../store/create-store.ts";
import { useChatState } from "../chat-context.tsx";
import { AnswerLead } from "../message/answer-lead.tsx";
import { BranchPicker } from "../message/branch-picker.tsx";
import { DayLine, MessageTime } from "../message/message-time.tsx";
import { RegenerateMenu } from "../message/regenerate-menu.tsx";
import { TableTools } from "../message/table-tools.tsx";
import type { BesideMessages, ThreadScope } from "../message/thread-scope.ts";
import { createTimeTexts } from "../message/time-texts.ts";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadVoice } from "../voice/load-voice.ts";
import { createAnswerSentences } from "./answer-sentences.ts";
import { SpokenAnswer } from "./spoken-answer.tsx";

export function createBeside(language: string): BesideMessages {
  return {
    texts: createTimeTexts(language),
    reading: createStore(undefined, (notify) => notify(0)),
    AnswerLead,
    BranchPicker,
    DayLine,
    MessageTime,
    RegenerateMenu,
    TableTools,
  };
}

/** The audible side of the open thread: announcements for a screen reader, and reading aloud. */
export function ThreadVoices({
  scope: { threadId, beside },
  asked,
}: {
  readonly scope: ThreadScope;
  readonly asked: string | undefined;
}) {
  const { value: voice } = useLoaded(useChatState(({ config }) => config.voice?.output) ? loadVoice : undefined);
  return (
    <>
      <SpokenAnswer threadId={threadId} asked={asked} />
      {voice && beside && (
        <voice.Reading threadId={threadId} reading={beside.reading} createSentences={createAnswerSentences} />
      )}
    </>
  );
}
