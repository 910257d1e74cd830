import type { ServerConfig } from "@nitka/protocol";
import { routes } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import { readConfig } from "./read-config.ts";

interface ConfigRequest {
  readonly proxyUrl: string;
  readonly projectId: string;
  /** The visitor's credential, where there is one already. */
  readonly token?: string | undefined;
  /** The credential was kept from another visit: when it is refused, the visitor is new. */
  readonly isOptional?: boolean;
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** A backend that does not answer this call in time is one without it. */
const TIMEOUT_MS = 10_000;

/**
 * The project's config, or `undefined` after one warning when it cannot be had: the widget works without. Rejects when
 * the signal is aborted.
 */
export async function loadConfig(request: ConfigRequest): Promise<ServerConfig | undefined> {
  const { proxyUrl, projectId, token, fetch, warn, signal } = request;
  try {
    const ask = (credential: string | undefined) =>
      fetch(new URL(routes.config(projectId), withSlash(proxyUrl)).href, {
        cache: "no-store",
        credentials: "include",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
        ...(credential === undefined ? {} : { headers: { authorization: `Bearer ${credential}` } }),
      });
    let response = await ask(token);
    if (response.status === 401 && request.isOptional) response = await ask(undefined);
    if (!response.ok) throw new Error(String(response.status));
    const config = readConfig(await response.json());
    if (!config) throw new Error("the answer is not an object");
    return config;
  } catch (error) {
    signal.throwIfAborted();
    warn(`config fetch failed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
