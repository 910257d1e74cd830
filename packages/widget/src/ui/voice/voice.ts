/** Dictation and reading aloud. This chunk loads if the config's `voice` asks for it. */
export { Dictation } from "./dictation.tsx";
export { ReadAloud } from "./read-aloud.tsx";
export { Reading } from "./reading.tsx";
