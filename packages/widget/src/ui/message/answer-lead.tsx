import type { Message } from "@nitka/protocol";
import type { Branch } from "@nitka/protocol/branch";
import { useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadVoice } from "../voice/load-voice.ts";
import { BranchPicker } from "./branch-picker.tsx";
import type { ThreadScope } from "./thread-scope.ts";

/** The first controls of an answer. The one that reads it aloud stays in its place while the others are hidden. */
export function AnswerLead({ entry, scope }: { readonly entry: Branch; readonly scope: ThreadScope }) {
  const { message }: { readonly message: Message } = entry;
  const { value: voice } = useLoaded(useChatState(({ config }) => config.voice?.output) ? loadVoice : undefined);
  return (
    <>
      {voice && scope.beside && (
        <voice.ReadAloud threadId={scope.threadId} message={message} reading={scope.beside.reading} />
      )}
      <BranchPicker entry={entry} scope={scope} />
    </>
  );
}
