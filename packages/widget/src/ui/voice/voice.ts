/** Dictation and reading aloud. A chunk that loads where the config's `voice` says so. */
export { Dictation } from "./dictation.tsx";
export { ReadAloud } from "./read-aloud.tsx";
export { Reading } from "./reading.tsx";
