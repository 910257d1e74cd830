import type { Storage } from "../../storage/storage.ts";
import { READY_FRESH_MS, READY_PING_MS } from "../timings.ts";
import { LATE, within } from "../waiting/within.ts";

export interface Readiness {
  /** The reason why this instance should get no traffic now; `undefined` when it should. */
  problem(): Promise<string | undefined>;
}

/** @param draining aborted when the server begins to close */
export function createReadiness(storage: Storage, draining: AbortSignal, clock: () => Date): Readiness {
  let last: { readonly at: number; readonly problem: Promise<string | undefined> } | undefined;
  return {
    async problem() {
      if (draining.aborted) return "the server is closing";
      const now = clock().getTime();
      if (!last || Math.abs(now - last.at) >= READY_FRESH_MS) last = { at: now, problem: problemOf(storage) };
      return last.problem;
    },
  };
}

async function problemOf(storage: Storage): Promise<string | undefined> {
  const pinged = storage.ping().then(
    () => undefined,
    () => "the database cannot be reached",
  );
  const problem = await within(pinged, READY_PING_MS);
  return problem === LATE ? "the database does not answer" : problem;
}
