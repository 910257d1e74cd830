/** What a thread has beside its messages. A chunk that loads once they are shown. */
export { createTimeTexts } from "../message/time-texts.ts";
export { DayLine, MessageTime } from "../message/message-time.tsx";
export { SpokenAnswer } from "./spoken-answer.tsx";
