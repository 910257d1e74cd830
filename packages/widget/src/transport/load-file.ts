import type { Api } from "./http-request.ts";
import { request } from "./http-request.ts";

/**
 * A file of the api, fetched with the visitor's credential: no address could carry that. What lies elsewhere keeps its
 * address, and gets no credential.
 *
 * @param signal ends the fetching, and the address that came of it
 * @returns an address within this page
 */
export async function loadFile(api: Api, url: string, signal: AbortSignal): Promise<string> {
  const root = `${api.base}/`;
  if (!url.startsWith(root)) return url;
  const response = await request(api, url.slice(root.length), { signal });
  const address = URL.createObjectURL(await response.blob());
  signal.addEventListener("abort", () => URL.revokeObjectURL(address), { once: true });
  return address;
}
