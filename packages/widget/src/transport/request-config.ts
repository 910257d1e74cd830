import type { Credential } from "./credential.ts";
import { fixedCredential } from "./credential.ts";
import { fetchConfig } from "./fetch-config.ts";

export interface ConfigOptions {
  readonly projectId: string;
  readonly proxyUrl: string;
  /** Set when the host names its visitor. */
  readonly hostCredential?: Credential | undefined;
  /** Keeps an anonymous visitor's token between visits, where a cookie cannot be kept. */
  readonly storage: { read(key: string): string | undefined };
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The config's response, and the credential of the request. */
export interface ConfigResponse {
  /** The body, not validated; `undefined` when the request failed. */
  readonly body: object | undefined;
  /** The token of an earlier visit, and its key in the storage. */
  readonly kept: string | undefined;
  readonly key: string;
  readonly hostCredential: Credential | undefined;
}

/** Requests the config as the visitor whom the host names, else as the anonymous one of an earlier visit, else as a new one. */
export async function requestConfig(options: ConfigOptions): Promise<ConfigResponse> {
  const { projectId, proxyUrl, hostCredential, storage } = options;
  const key = `nitka:visitor:${projectId}@${proxyUrl}`;
  const kept = hostCredential ? undefined : storage.read(key);
  const credential = hostCredential ?? fixedCredential(kept);
  const body = await fetchConfig({ ...options, credential });
  return { body, kept, key, hostCredential };
}
