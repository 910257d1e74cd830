import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";
import type { SpeechRecognizer } from "../../browser/speech-recognition.ts";
import { voiceWords } from "../../i18n/voice-words.ts";
import type { VoiceWords } from "../../i18n/voice-words.ts";
import { draftOf } from "../../store/selectors.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { isComposing } from "../primitives/is-composing.ts";
import type { DictationPlace } from "./heard-text.ts";
import { dictationLanguage } from "./speech-language.ts";
import type { Dictation } from "./start-dictation.ts";
import { startDictation } from "./start-dictation.ts";

/** The texts by the code of `SpeechRecognitionErrorEvent`. */
const problems: Readonly<Record<string, keyof VoiceWords>> = {
  "not-allowed": "micDenied",
  "service-not-allowed": "serviceDenied",
  "audio-capture": "micMissing",
  "no-speech": "noSpeech",
  network: "noNetwork",
  "language-not-supported": "noLanguage",
};

type Phase = "off" | "starting" | "listening" | "ending";

/** The dictation into a thread's draft. It ends with the press, with Escape, and when the visitor no longer sees the draft. */
export function useDictation(
  threadId: string | undefined,
  input: RefObject<HTMLTextAreaElement | null>,
): {
  readonly phase: Phase;
  /** Why the last dictation failed, until the draft changes. */
  readonly problem: string | undefined;
  readonly start: (Recognition: new () => SpeechRecognizer) => void;
  readonly stop: () => void;
} {
  const { actions, words, locale, language } = useChat();
  const announce = useAnnounce();
  const draft = useChatState((state) => draftOf(state, threadId));
  const isPanelOpen = useChatState((state) => state.panelOpen);
  const [phase, setPhase] = useState<Phase>("off");
  const [note, setNote] = useState<{ readonly text: string; readonly draft: string }>();
  const dictation = useRef<Dictation>(undefined);
  /** The draft as the dictation has left it. */
  const written = useRef({ text: "", caret: 0, isShown: true });
  const isTyped = useRef(false);
  const thread = useRef(threadId);
  const isOn = phase !== "off";

  const start = (Recognition: new () => SpeechRecognizer) => {
    const field = input.current;
    if (!field || dictation.current) return;
    const texts = { ...voiceWords[locale], ...words.voice };
    setNote(undefined);
    setPhase("starting");
    written.current = { text: field.value, caret: field.selectionEnd, isShown: true };
    isTyped.current = false;
    dictation.current = startDictation({
      Recognition,
      lang: dictationLanguage(language, navigator.languages),
      place: placeIn(field),
      write(text, caret) {
        written.current = { text, caret, isShown: false };
        actions.setDraft(thread.current, text);
      },
      onListening() {
        setPhase("listening");
        announce(texts.listening);
      },
      onEnd(code) {
        dictation.current = undefined;
        setPhase("off");
        if (code !== undefined)
          setNote({ text: texts[problems[code] ?? "dictationFailed"], draft: written.current.text });
        announce(code === undefined ? texts.dictationEnded : texts[problems[code] ?? "dictationFailed"]);
      },
    });
  };
  const stop = () => {
    setPhase("ending");
    dictation.current?.stop();
  };

  useLayoutEffect(() => {
    // The draft without a thread moves to the first thread.
    if (thread.current !== undefined && thread.current !== threadId) {
      dictation.current?.abort();
      setNote(undefined);
    }
    thread.current = threadId;
  }, [threadId]);
  useLayoutEffect(() => {
    const field = input.current;
    if (!field) return;
    const { text, caret, isShown } = written.current;
    // Text that is restored into a draft, such as a stored one after a reload, is inserted before text written since.
    const isOurs = draft.text === text || (!isTyped.current && draft.text.endsWith(text));
    // A sent draft is finished, a text that the page has replaced is not continued, and a closed panel does not listen.
    const isLeft = draft.status === "waiting" || !isPanelOpen || !(isOurs || isTyped.current);
    if (isLeft) dictation.current?.abort();
    const ahead = isOurs ? draft.text.slice(0, draft.text.length - text.length) : "";
    if (ahead) dictation.current?.putAhead(ahead);
    // When a script writes a text, the caret moves to its end.
    const isMoved = !isShown || (ahead && dictation.current);
    if (isOurs && isMoved) field.setSelectionRange(ahead.length + caret, ahead.length + caret);
    written.current = { text: draft.text, caret: field.selectionEnd, isShown: true };
    if (!isOurs) dictation.current?.moveTo(placeIn(field));
    isTyped.current = false;
  }, [draft, isPanelOpen, input]);
  useEffect(() => {
    const field = input.current;
    const onInput = () => {
      isTyped.current = true;
    };
    field?.addEventListener("input", onInput);
    return () => {
      field?.removeEventListener("input", onInput);
      dictation.current?.abort();
    };
  }, [input]);
  useEffect(() => {
    const root = input.current?.getRootNode();
    if (!root || !isOn) return undefined;
    const over = new AbortController();
    const { signal } = over;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isComposing(event) || !event.composedPath().includes(root)) return;
      // Escape only stops the recording: no answer stops, no panel closes, and no tooltip comes first.
      event.preventDefault();
      event.stopPropagation();
      setPhase("ending");
      dictation.current?.stop();
    };
    const abort = () => dictation.current?.abort();
    addEventListener("keydown", onKeyDown, { capture: true, signal });
    document.addEventListener("visibilitychange", () => document.hidden && abort(), { signal });
    addEventListener("pagehide", abort, { signal });
    return () => over.abort();
  }, [input, isOn]);
  return { phase, problem: note?.draft === draft.text ? note.text : undefined, start, stop };
}

function placeIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): DictationPlace {
  return {
    before: value.slice(0, selectionStart),
    selected: value.slice(selectionStart, selectionEnd),
    after: value.slice(selectionEnd),
  };
}
