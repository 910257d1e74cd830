import { configRoute } from "@nitka/protocol/routes";
import { withSlash } from "./api-base.ts";
import type { Credential } from "./credential.ts";
import { CONFIG_TIMEOUT_MS } from "../timings.ts";

export interface ConfigRequest {
  readonly proxyUrl: string;
  readonly projectId: string;
  /** What names the visitor. When it is refused and there is no other, the call is made without: the config is anyone's. */
  readonly credential: Credential;
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * What the config call answers, unread; or `undefined` after one warning when it cannot be had: the widget works without. Rejects when
 * the signal is aborted.
 */
export async function fetchConfig(request: ConfigRequest): Promise<object | undefined> {
  const { proxyUrl, projectId, credential, fetch, warn, signal } = request;
  try {
    const ask = (token: string | undefined) =>
      fetch(new URL(configRoute(projectId), withSlash(proxyUrl)).href, {
        cache: "no-store",
        credentials: "include",
        signal: AbortSignal.any([signal, AbortSignal.timeout(CONFIG_TIMEOUT_MS)]),
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      });
    const token = await credential.token().catch(() => undefined);
    let response = await ask(token);
    if (response.status === 401 && token !== undefined) {
      response = await ask(await credential.renewed(token).catch(() => undefined));
    }
    if (!response.ok) throw new Error(String(response.status));
    const answer: unknown = await response.json();
    if (typeof answer !== "object" || answer === null || Array.isArray(answer)) {
      throw new Error("the answer is not an object");
    }
    return answer;
  } catch (error) {
    signal.throwIfAborted();
    warn(`config fetch failed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
