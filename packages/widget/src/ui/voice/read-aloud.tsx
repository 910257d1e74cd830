import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { voiceWords } from "../../i18n/voice-words.ts";
import { conversationOf, keyOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import type { ReadingState } from "./reading-state.ts";
import { voiceIcons } from "./voice-icons.ts";
import css from "./voice.css?inline";

/**
 * The button that reads an answer aloud, even while it is being written. It renders nothing if the browser has no speech
 * synthesis.
 */
export function ReadAloud({
  threadId,
  message,
  reading,
}: {
  readonly threadId: string;
  readonly message: Message;
  readonly reading: ReadingState;
}) {
  const { words, locale } = useChat();
  const key = useChatState((state) => keyOf(conversationOf(state, threadId), message.id));
  const current = useSyncExternalStore(reading.subscribe, reading.get);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => adoptStyles(button.current, css));
  if (!("speechSynthesis" in globalThis) || !/[\p{L}\p{N}]/u.test(textOf(message))) return null;
  const texts = { ...voiceWords[locale], ...words.voice };
  const isHere = current?.key === key;
  const problem = isHere ? current.problem : undefined;
  const isRead = isHere && problem === undefined;
  return (
    <>
      <IconButton
        ref={button}
        icon={isRead ? voiceIcons.stop : voiceIcons.speaker}
        label={isRead ? texts.stopReading : texts.read}
        className="reading-button"
        data-on={isRead || undefined}
        onClick={() => reading.set(() => (isRead ? undefined : { key }))}
      />
      {problem !== undefined && <span className="reading-note">{texts[problem]}</span>}
    </>
  );
}
