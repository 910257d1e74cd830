import { ChatError } from "@nitka/server";
import type { NewId } from "@nitka/server";
import type { DeskThread } from "./desk-threads.ts";

/** Recordings that operators have opened, in the memory of this process. */
export interface RecordingShelf {
  /** Keeps a recording, and drops the oldest where there is no room. Returns its id. */
  put(recording: DeskThread, bytes: number): string;
  /** @throws ChatError `not_found` for one that was dropped */
  get(id: string): DeskThread;
}

const MAX_BYTES = 50_000_000;

export function createRecordingShelf(newId: NewId): RecordingShelf {
  const kept = new Map<string, { readonly recording: DeskThread; readonly bytes: number }>();
  return {
    put(recording, bytes) {
      const id = newId("run");
      kept.set(id, { recording, bytes });
      let total = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
      for (const [oldest, one] of kept) {
        if (total <= MAX_BYTES || oldest === id) break;
        kept.delete(oldest);
        total -= one.bytes;
      }
      return id;
    },

    get(id) {
      const found = kept.get(id);
      if (!found) throw new ChatError("not_found", "The recording is no longer here: open its file again.");
      return found.recording;
    },
  };
}
