import { claimRoute } from "@nitka/protocol/routes";
import { HttpError, unreachable } from "./http-error.ts";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

export interface ClaimOptions {
  readonly api: Api;
  /** Whether the backend can move threads to another visitor. */
  readonly isOffered: boolean | undefined;
  /** The error of the host's function, if the widget started without a token because of it. */
  readonly failure: Error | undefined;
  /** The anonymous visitor's token, if this browser has stored one. */
  readonly kept: () => string | undefined;
  readonly forget: () => void;
  readonly warn: (text: string) => void;
}

/**
 * Creates what the list of a named visitor waits for: a token, and the claim, which is made once. The returned function rejects
 * if there is no token. If the start had none, its first call rejects at once: a function that hangs may take ten seconds at
 * the start, not ten for each request.
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
  // Nothing else handles its rejection: the list may be requested much later.
  if (failed === undefined) ready().catch(() => undefined);
  return ready;
}

/**
 * Moves the threads of this browser's anonymous visitor to the visitor whom the host names. Rejects if that fails.
 *
 * @param kept the anonymous visitor's token, if this browser has stored one; otherwise the request's cookie names them
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
