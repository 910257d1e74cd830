import type { NitkaHandle } from "@nitka/widget";
import type { ScriptedSpeech } from "./scripted-speech.ts";

declare global {
  type TestedHandle = NitkaHandle;

  /** The properties that the host pages of these tests define on their window. */
  interface Window {
    readonly Nitka: {
      init(options?: object): TestedHandle;
    };
    readonly chat: TestedHandle;
    readonly speech: ScriptedSpeech;
  }
}
