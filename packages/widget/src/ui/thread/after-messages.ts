/** What a thread has beside its messages. A chunk that loads once they are shown. */
export { createTimeTexts } from "../message/time-texts.ts";
export { BranchPicker } from "../message/branch-picker.tsx";
export { DayLine, MessageTime } from "../message/message-time.tsx";
export { TableTools } from "../message/table-tools.tsx";
export { RegenerateMenu } from "../message/regenerate-menu.tsx";
export { SpokenAnswer } from "./spoken-answer.tsx";
