import { ModelError } from "../../model/model.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { FILE_ROOM_MS } from "../timings.ts";

/** A file of a model request is in memory as bytes, in base64 for the provider, and in the body that is sent there. */
const COPIES = 3;

/** Counts the files that a run's model reads against the byte budget, from when it reads them until it has ended. */
export interface FileMemory {
  /**
   * Waits until there is room for files of this many bytes together. Called for all of them before the first is read, so that
   * no two runs wait for each other with half of their files.
   *
   * @throws ModelError `upstream_limited` when there is no room for too long
   */
  readonly expect: (bytes: number) => Promise<void>;
  /** The same for one file that is about to be read. It takes no room that is expected already. */
  readonly read: (bytes: number) => Promise<void>;
  /** The model has answered, so its request was sent: only the bytes themselves are kept, for its next steps. */
  readonly sent: () => void;
  /** The model has ended. */
  readonly release: () => void;
}

export function createFileMemory(budget: ByteBudget, signal: AbortSignal): FileMemory {
  const reservation = budget.reserve();
  let room = 0;
  let taken = 0;

  async function makeRoom(bytes: number): Promise<void> {
    if (bytes <= room) return;
    const more = bytes - room;
    room = bytes;
    try {
      await reservation.addWhenFree(COPIES * more, FILE_ROOM_MS, signal);
    } catch (cause) {
      throw new ModelError("upstream_limited", "The server holds as many files as it can.", { cause });
    }
  }

  return {
    expect: (bytes) => {
      // A model that steps in for another reads the same files again.
      taken = 0;
      return makeRoom(bytes);
    },
    read: (bytes) => {
      taken += bytes;
      return makeRoom(taken);
    },
    sent: () => reservation.shrinkTo(room),
    release: () => reservation.release(),
  };
}
