import { useLayoutEffect, useState } from "react";
import type { RefObject } from "react";
import { findRecognition } from "../../browser/speech-recognition.ts";
import { voiceWords } from "../../i18n/voice-words.ts";
import { useChat } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import { IconButton } from "../primitives/icon-button.tsx";
import { useDictation } from "./use-dictation.ts";
import { voiceIcons } from "./voice-icons.ts";
import css from "./voice.css?inline";

/**
 * The button that writes the visitor's speech into the draft, and a note about its state. It renders nothing if the browser has
 * no speech recognition, which is not used before the first press.
 */
export function Dictation({
  threadId,
  input,
}: {
  readonly threadId: string | undefined;
  readonly input: RefObject<HTMLTextAreaElement | null>;
}) {
  const { actions, words, locale } = useChat();
  const [Recognition] = useState(() => findRecognition());
  const { phase, problem, start, stop } = useDictation(threadId, input);
  useLayoutEffect(() => adoptStyles(input.current, css), [input]);
  if (!Recognition) return null;
  const texts = { ...voiceWords[locale], ...words.voice };
  const isOn = phase !== "off";
  const note = isOn ? (phase === "starting" ? texts.allowing : texts.listening) : problem;
  return (
    <>
      {note && (
        <p className="voice-note" data-phase={phase}>
          {note}
        </p>
      )}
      <IconButton
        icon={isOn ? voiceIcons.stop : voiceIcons.microphone}
        label={isOn ? texts.stopDictation : texts.dictate}
        className="dictation-button"
        data-phase={phase}
        aria-busy={phase === "starting" || phase === "ending" || undefined}
        onMouseDown={(event) => event.preventDefault()}
        // Until the visitor has agreed to the project's consent, the browser must not send their voice anywhere.
        onClick={isOn ? stop : () => actions.whenAgreed(() => start(Recognition))}
      />
    </>
  );
}
