import { useChatState } from "../chat-context.tsx";
import type { ThreadScope } from "../message/thread-scope.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadVoice } from "../voice/load-voice.ts";
import { createAnswerSentences } from "./answer-sentences.ts";
import { SpokenAnswer } from "./spoken-answer.tsx";

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
