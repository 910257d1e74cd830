import { configRoute } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import type { Credential } from "./credential.ts";
import { CONFIG_TIMEOUT_MS } from "../timings.ts";
import { fixedCredential } from "./credential.ts";

export interface ConfigRequest {
  readonly proxyUrl: string;
  readonly projectId: string;
  /**
   * Names the visitor. If it is refused and there is no other, the request is repeated without one, because the config is
   * public.
   */
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The body of the config's response, not validated. If the request fails, the result is `undefined` and a warning is logged:
 * the widget works without a config. Rejects when the signal aborts.
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
    const token = await credential.token().catch((error: Error) => void (credential.failure = error));
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

export interface ConfigOptions {
  readonly projectId: string;
  readonly proxyUrl: string;
  /** Set if the host names its visitor. */
  readonly hostCredential?: Credential | undefined;
  /** Stores an anonymous visitor's token between visits, for browsers that keep no cookie. */
  readonly storage: { read(key: string): string | undefined };
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The response to the config's request, and the credential of that request. */
export interface ConfigResponse {
  /** The body, not validated; `undefined` if the request failed. */
  readonly body: object | undefined;
  /** The token of an earlier visit, and its key in the storage. */
  readonly kept: string | undefined;
  readonly key: string;
  readonly hostCredential: Credential | undefined;
}

/**
 * Requests the config: as the visitor whom the host names, otherwise as the anonymous visitor of an earlier visit, otherwise as
 * a new visitor.
 */
export async function requestConfig(options: ConfigOptions): Promise<ConfigResponse> {
  const { projectId, proxyUrl, hostCredential, storage } = options;
  const key = `nitka:visitor:${projectId}@${proxyUrl}`;
  const kept = hostCredential ? undefined : storage.read(key);
  const credential = hostCredential ?? fixedCredential(kept);
  const body = await fetchConfig({ ...options, credential });
  return { body, kept, key, hostCredential };
}
