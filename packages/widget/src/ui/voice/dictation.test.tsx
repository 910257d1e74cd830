import { act, useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { renderChat, withConversation } from "../scripted-chat.tsx";
import { Dictation } from "./dictation.tsx";

afterEach(() => vi.unstubAllGlobals());

function Field() {
  const input = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <textarea ref={input} />
      <Dictation threadId="t1" input={input} />
    </>
  );
}

test("the browser is asked for the interface's language, also where its texts are English", () => {
  const asked: string[] = [];
  class Recognition extends EventTarget {
    lang = "";
    start() {
      asked.push(this.lang);
    }
    stop() {}
    abort() {}
  }
  vi.stubGlobal("SpeechRecognition", Recognition);
  const chat = renderChat(<Field />, withConversation({}), { locale: "en", language: "de-AT" });
  act(() => chat.root.querySelector("button")?.click());
  const [, start] = chat.asked.find(([name]) => name === "whenAgreed") ?? [];
  act(() => (start as () => void)());
  expect(asked).toEqual(["de-AT"]);
  chat.unmount();
});
