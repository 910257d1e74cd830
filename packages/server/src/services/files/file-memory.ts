import { ModelError } from "../../model/model.ts";
import type { ByteBudget } from "./byte-budget.ts";
import { FILE_ROOM_MS } from "../timings.ts";

/**
 * The number of copies of a file in memory during a model request: the bytes, the base64 for the provider, and the body
 * that is sent.
 */
const COPIES = 3;

/**
 * Accounts for the files that a run's model reads in the byte budget, from the first read until the model has ended.
 */
export interface FileMemory {
  /**
   * Waits for room for files of this many bytes in total. Called for all files before the first is read, so that no two
   * runs wait for each other while each holds half of its files.
   *
   * @throws ModelError `upstream_limited` when the wait for room takes too long
   */
  readonly expect: (bytes: number) => Promise<void>;
  /**
   * The same for one file that is about to be read. Bytes that were announced with `expect` need no additional room.
   */
  readonly read: (bytes: number) => Promise<void>;
  /**
   * To be called when the model has answered. Its request was sent, so only the bytes themselves are kept for its next
   * steps.
   */
  readonly sent: () => void;
  /** To be called when the model has ended. */
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
      throw new ModelError("upstream_limited", "The server's memory for files is full.", { cause });
    }
  }

  return {
    expect: (bytes) => {
      // A fallback model reads the same files again.
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
