import { claimRoute } from "@nitka/protocol/routes";
import { HttpError, unreachable } from "./http-error.ts";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

export interface ClaimOptions {
  readonly api: Api;
  /** Whether the backend moves threads. */
  readonly isOffered: boolean | undefined;
  /** Why the start had no token, where the host's function has failed. */
  readonly failure: Error | undefined;
  /** The anonymous visitor's token, if this browser has kept one. */
  readonly kept: () => string | undefined;
  readonly forget: () => void;
  readonly warn: (text: string) => void;
}

/**
 * What the list of a visitor whom the host names waits for: a token, and the claim, which is made once. The returned function
 * rejects without a token. The first time it does so at once where the start had none: a function that hangs has ten seconds
 * there, not ten for each request.
 */
export function createClaim({ api, isOffered, failure, kept, forget, warn }: ClaimOptions): () => Promise<void> {
  let failed = failure;
  let claimed: Promise<void> | undefined;
  async function claim(): Promise<void> {
    try {
      if (isOffered) await claimThreads(api, kept()).then(forget);
    } catch (error) {
      if (!api.signal.aborted) warn(`claiming the visitor's threads failed: ${(error as Error).message}`);
    }
  }
  async function ready(): Promise<void> {
    const error = failed;
    failed = undefined;
    if (error !== undefined) throw unreachable(error);
    await api.credential.token().catch((reason: unknown) => {
      throw unreachable(reason);
    });
    await (claimed ??= claim());
  }
  // Nothing else waits for it: the list may be asked for much later.
  if (failed === undefined) ready().catch(() => undefined);
  return ready;
}

/**
 * Moves the threads of this browser's anonymous visitor to the visitor whom the host names. Rejects when that fails.
 *
 * @param kept the anonymous visitor's token, if this browser has kept one; else the request's cookie names them
 */
export async function claimThreads(api: Api, kept: string | undefined): Promise<void> {
  const claim = (json: { readonly token?: string }) => request(api, claimRoute, { json });
  if (kept === undefined) {
    await claim({});
    return;
  }
  await claim({ token: kept }).catch((error: unknown) => {
    // The token has expired. The cookie may still be valid.
    if (error instanceof HttpError && error.status === 422) return claim({});
    throw error;
  });
}
