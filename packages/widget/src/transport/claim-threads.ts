import { routes } from "@nitka/protocol/routes";
import { HttpError } from "./http-error.ts";
import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

/**
 * Moves the threads of this browser's anonymous visitor to the one whom the host names. Rejects when the backend cannot.
 *
 * @param kept the anonymous visitor's credential, where it was kept in this browser; the call's cookie says the same
 */
export async function claimThreads(api: Api, kept: string | undefined): Promise<void> {
  const claim = (json: { readonly token?: string }) => request(api, routes.claim(), { json });
  if (kept === undefined) {
    await claim({});
    return;
  }
  await claim({ token: kept }).catch((error: unknown) => {
    // A credential that has expired: its cookie may still be good.
    if (error instanceof HttpError && error.status === 422) return claim({});
    throw error;
  });
}
