import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

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
