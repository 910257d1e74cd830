import { setTimeout as sleep } from "node:timers/promises";
import { FileRefusedError, StorageUnavailableError } from "../../storage/storage.ts";
import { READ_BACKOFF } from "../timings.ts";

/**
 * Retries while the database or the store of files is unavailable. Rejects when the signal is aborted, and when a file
 * is refused for good.
 */
export async function whenStorageIsThere<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let retryMs = READ_BACKOFF.firstMs; ; retryMs = Math.min(2 * retryMs, READ_BACKOFF.lastMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError) || error instanceof FileRefusedError) throw error;
      await sleep(retryMs, undefined, { signal });
    }
  }
}
