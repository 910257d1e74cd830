/** What a thread has beside its messages. This chunk loads once they are shown. */
import { createStore } from "../../store/create-store.ts";
import { AnswerLead } from "../message/answer-lead.tsx";
import { BranchPicker } from "../message/branch-picker.tsx";
import { DayLine, MessageTime } from "../message/message-time.tsx";
import { RegenerateMenu } from "../message/regenerate-menu.tsx";
import { TableTools } from "../message/table-tools.tsx";
import type { BesideMessages } from "../message/thread-scope.tsx";
import { createTimeTexts } from "../message/time-texts.ts";

export { ThreadVoices } from "./thread-voices.tsx";

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
