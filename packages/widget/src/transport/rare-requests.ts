/** Requests that few visits make. This code loads with the first of them. */
import type { Thread } from "@nitka/protocol";
import { routes, visitorRoute } from "@nitka/protocol/routes";
import type { Api } from "./http-request.ts";
import { request, requestJson } from "./http-request.ts";
import { readThread } from "./read-response.ts";

/** Undoes the archiving of a thread. Rejects if that fails or the backend no longer has the thread. */
export async function restoreThread(api: Api, threadId: string): Promise<Thread> {
  // The path is built here and not in `routes`, which is in the code that every page loads.
  const path = `${routes.threads()}/${encodeURIComponent(threadId)}/restore`;
  return readThread(await requestJson(api, path, { json: {} }));
}

/** Erases all threads and files of the visitor on the backend. Rejects if that fails. */
export async function eraseVisitor(api: Api): Promise<void> {
  await request(api, visitorRoute, { method: "DELETE" });
}

/**
 * Fetches a file of the API with the visitor's token, which an address in markup cannot carry. A file elsewhere keeps its
 * address and gets no token.
 *
 * @param signal aborts the request, or revokes the blob URL
 * @returns a blob URL, or the given address
 */
export async function loadFile(api: Api, url: string, signal: AbortSignal): Promise<string> {
  const root = `${api.base}/`;
  if (!url.startsWith(root)) return url;
  const response = await request(api, url.slice(root.length), { signal });
  const address = URL.createObjectURL(await response.blob());
  signal.addEventListener("abort", () => URL.revokeObjectURL(address), { once: true });
  return address;
}
