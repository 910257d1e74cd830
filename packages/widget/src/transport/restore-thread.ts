import type { Thread } from "@nitka/protocol";
import { routes } from "@nitka/protocol/routes";
import type { Api } from "./http-request.ts";
import { requestJson } from "./http-request.ts";
import { readThread } from "./read-response.ts";

/** Undoes the archiving of a thread. Rejects if that fails or the backend no longer has the thread. */
export async function restoreThread(api: Api, threadId: string): Promise<Thread> {
  // The path is built here and not in `routes`, which is in the code that every page loads.
  const path = `${routes.threads()}/${encodeURIComponent(threadId)}/restore`;
  return readThread(await requestJson(api, path, { json: {} }));
}
