import { loadChunk } from "../../load-chunk.ts";

/** The code of dictation and of reading aloud, which few projects use. */
export const loadVoice = loadChunk(() => import("./voice.ts"));
