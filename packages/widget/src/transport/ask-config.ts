import type { Credential } from "./credential.ts";
import { fixedCredential } from "./credential.ts";
import { fetchConfig } from "./fetch-config.ts";

export interface AskOptions {
  readonly projectId: string;
  readonly proxyUrl: string;
  /** The host's own credential of its visitor, if it names them. */
  readonly hostCredential?: Credential | undefined;
  /** Where a visitor's credential is kept between visits, where a cookie cannot be. */
  readonly storage: {
    read(key: string): string | undefined;
    write(key: string, value: string): void;
    remove(key: string): void;
  };
  readonly fetch: typeof fetch;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** A project's config, and by which credential it was asked for. */
export interface AskedConfig {
  /** Unread; `undefined` when it could not be had. */
  readonly answer: object | undefined;
  /** The credential of an earlier visit, and where it is kept. */
  readonly kept: string | undefined;
  readonly key: string;
  readonly hostCredential: Credential | undefined;
}

/** Asks for the config as the host's visitor, as the one of an earlier visit, or as someone new. */
export async function askConfig(options: AskOptions): Promise<AskedConfig> {
  const { projectId, proxyUrl, hostCredential, storage, fetch, warn, signal } = options;
  const key = `nitka:visitor:${projectId}@${proxyUrl}`;
  const kept = hostCredential ? undefined : storage.read(key);
  const credential = hostCredential ?? fixedCredential(kept);
  const answer = await fetchConfig({ projectId, proxyUrl, credential, fetch, warn, signal });
  return { answer, kept, key, hostCredential };
}
