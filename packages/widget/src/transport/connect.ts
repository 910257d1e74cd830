import type { ServerConfig } from "@nitka/protocol";
import { loadChunk } from "../load-chunk.ts";
import { resolveApiBase } from "./api-base.ts";
import type { AskedConfig, AskOptions } from "./ask-config.ts";
import { askConfig } from "./ask-config.ts";
import { fixedCredential } from "./credential.ts";
import { createHttpTransport } from "./http-transport.ts";
import { readConfig } from "./read-config.ts";
import type { Transport } from "./transport.ts";

const loadErase = loadChunk(() => import("./erase-visitor.ts"));
const loadClaim = loadChunk(() => import("./claim-threads.ts"));

export interface ConnectOptions extends AskOptions {
  readonly apiBase?: string | undefined;
  readonly pageUrl: string;
  /** What the launcher has asked for already. */
  readonly asked?: AskedConfig | undefined;
}

/** A project's config, and the way to its API. */
export interface Connection {
  readonly config: ServerConfig;
  readonly transport: Transport;
  /** The host's token of its visitor; none of an anonymous one. */
  visitorToken(): Promise<string | undefined>;
  /** Keeps the visitor's credential for their next visit. Nothing is kept before the visitor has done something. */
  remember(): void;
}

/**
 * Asks for the config, and makes the transport that it announces; without a config there is a default. Rejects when the
 * signal is aborted.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const { proxyUrl, pageUrl, storage, fetch, warn, signal } = options;
  const { answer, kept, key, hostCredential } = options.asked ?? (await askConfig(options));
  const config = (answer && readConfig(answer)) ?? {};
  const given = hostCredential ? undefined : config.visitor?.token;
  // A config that could not be had says nothing about the credential.
  if (answer && kept !== undefined && given === undefined) storage.remove(key);

  const base = resolveApiBase({ option: options.apiBase, configured: config.apiBase, proxyUrl, pageUrl });
  const { origin } = new URL(base);
  // Where the config call went with the visitor's cookies, so do the others; a third origin need not take them.
  const isFamiliar = [new URL(proxyUrl).origin, new URL(pageUrl).origin].includes(origin);
  const api = {
    base,
    fetch,
    credentials: isFamiliar ? "include" : "same-origin",
    credential: hostCredential ?? fixedCredential(given),
    signal,
  } as const;
  if (hostCredential && config.features?.claim) {
    // What the anonymous visitor of this browser has written is the named one's, before the list is asked for.
    const claim = loadClaim().then(({ claimThreads }) => claimThreads(api, storage.read(key)));
    await claim.then(
      () => storage.remove(key),
      (error: unknown) => {
        if (!signal.aborted)
          warn(`claiming the visitor's threads failed: ${error instanceof Error ? error.message : String(error)}`);
      },
    );
    signal.throwIfAborted();
  }
  let isKept = given === undefined || given === kept;
  const eraseVisitor = async () => {
    const erasing = await loadErase();
    await erasing.eraseVisitor(api);
    storage.remove(key);
  };
  return {
    config,
    transport: {
      ...createHttpTransport(api, config.features),
      ...(config.features?.erase && { eraseVisitor }),
    },
    visitorToken: async () => hostCredential?.token(),
    remember() {
      if (isKept || given === undefined) return;
      isKept = true;
      storage.write(key, given);
    },
  };
}
