import type { Storage } from "../storage/storage.ts";

export interface Readiness {
  /** Why no traffic should come now; `undefined` when it may. */
  problem(): Promise<string | undefined>;
}

/** A balancer that asks must have its answer soon. */
const PING_MS = 2_000;

/** One look at the database serves all who ask within this time: asking often costs it nothing. */
const FRESH_MS = 1_000;

/** @param draining aborted when the server begins to close */
export function createReadiness(storage: Storage, draining: AbortSignal, clock: () => Date): Readiness {
  let last: { readonly at: number; readonly problem: Promise<string | undefined> } | undefined;
  return {
    async problem() {
      if (draining.aborted) return "the server is closing";
      const now = clock().getTime();
      if (!last || Math.abs(now - last.at) >= FRESH_MS) last = { at: now, problem: problemOf(storage) };
      return last.problem;
    },
  };
}

async function problemOf(storage: Storage): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("the database does not answer"), PING_MS);
  });
  const asked = storage.ping().then(
    () => undefined,
    () => "the database cannot be asked",
  );
  const problem = await Promise.race([asked, late]);
  clearTimeout(timer);
  return problem;
}
