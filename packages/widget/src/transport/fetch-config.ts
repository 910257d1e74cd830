import { configRoute } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import type { Credential } from "./credential.ts";
import { CONFIG_TIMEOUT_MS } from "../timings.ts";

export interface ConfigRequest {
  readonly proxyUrl: string;
  readonly projectId: string;
  /** Names the visitor. If it is refused and there is no other, the request is repeated without: the config is public. */
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The body of the config's response, not validated. `undefined` after one warning where the request fails: the widget
 * works without a config. Rejects when the signal aborts.
 */
export async function fetchConfig(request: ConfigRequest): Promise<object | undefined> {
  const { proxyUrl, projectId, credential, fetch, warn, signal } = request;
  try {
    const get = (token: string | undefined) =>
      fetch(new URL(configRoute(projectId), withSlash(proxyUrl)).href, {
        cache: "no-store",
        credentials: "include",
        signal: AbortSignal.any([signal, AbortSignal.timeout(CONFIG_TIMEOUT_MS)]),
        ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
      });
    const token = await credential.token().catch(() => undefined);
    let response = await get(token);
    if (response.status === 401 && token !== undefined) {
      const other = await credential.token(token).catch(() => undefined);
      response = await get(other === token ? undefined : other);
    }
    if (!response.ok) throw new Error(String(response.status));
    const body = (await response.json()) as object;
    if (Object(body) !== body || Array.isArray(body)) throw new Error("not an object");
    return body;
  } catch (error) {
    signal.throwIfAborted();
    warn(`config fetch failed: ${String((error as Error | undefined)?.message ?? error)}`);
    return undefined;
  }
}
