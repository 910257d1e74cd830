import { claimRoute } from "@nitka/protocol/routes";
import { HttpError } from "./http-error.ts";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

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
