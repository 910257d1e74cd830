import type { Storage } from "../storage/storage.ts";

export interface Readiness {
  /** Why no traffic should come now; `undefined` when it may. */
  problem(): Promise<string | undefined>;
}

/** A balancer that asks must have its answer soon. */
const PING_MS = 2_000;

/** @param draining aborted when the server begins to close */
export function createReadiness(storage: Storage, draining: AbortSignal): Readiness {
  return {
    async problem() {
      if (draining.aborted) return "the server is closing";
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
    },
  };
}
