import { setTimeout as sleep } from "node:timers/promises";
import { StorageUnavailableError } from "../storage/storage.ts";
import { READ_RETRY_MS } from "./timings.ts";

/** Tries again while the database is away. Rejects when the signal is aborted meanwhile. */
export async function whenStorageIsThere<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      await sleep(READ_RETRY_MS, undefined, { signal });
    }
  }
}
