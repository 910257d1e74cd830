import type { ServerConfig } from "@nitka/protocol";
import { loadChunk } from "../load-chunk.ts";
import { resolveApiBase } from "./api-base.ts";
import { fixedCredential } from "./credential.ts";
import { createHttpTransport } from "./http-transport.ts";
import { readConfig } from "./read-config.ts";
import type { ConfigOptions, ConfigResponse } from "./fetch-config.ts";
import type { Api } from "./http-request.ts";
import type { Transport } from "./transport.ts";

const loadOneVisitor = loadChunk(() => import("./one-visitor.ts"));
const loadRareRequests = loadChunk(() => import("./rare-requests.ts"));
const loadExplanation = loadChunk(() => import("./explain-config-failure.ts"));
const loadClaim = loadChunk(() => import("./claim-threads.ts"));

export interface ConnectOptions extends Omit<ConfigOptions, "hostCredential" | "storage"> {
  readonly apiBase?: string | undefined;
  readonly storage: ConfigOptions["storage"] & {
    write(key: string, value: string): void;
    remove(key: string): void;
  };
  readonly pageUrl: string;
  /** The config's response. Rejects when the signal aborts. */
  readonly response: Promise<ConfigResponse>;
}

/** A project's config, and the transport to its API. */
export interface Connection {
  readonly config: ServerConfig;
  readonly transport: Transport;
  readonly api: Api;
  /**
   * Asks the host's function who is signed in; `undefined` for the anonymous visitor. If the backend names the visitor, `again`
   * restarts the widget. Never rejects.
   */
  readonly askWho: ((again?: boolean) => Promise<unknown>) | undefined;
  /** The `sub` of the host's token; `""` for the anonymous visitor, `undefined` if the token has none. */
  readonly subject: () => Promise<string | undefined>;
  /** Stores the visitor's token for the next visit. It is called once the visitor has done something, not before. */
  remember(): void;
}

/**
 * Reads the config and creates the transport with the additions that it announces. Without a config the defaults apply. Rejects
 * when the signal aborts.
 *
 * @param onOtherVisitor called if the visitor is another than the first one, or unknown, or if the config loads after a failure
 */
export async function connect(
  options: ConnectOptions,
  onOtherVisitor: (isKnown?: boolean) => void = () => undefined,
): Promise<Connection> {
  const { proxyUrl, pageUrl, storage, fetch, warn, signal } = options;
  const { body, kept, key, hostCredential: named } = await options.response;
  if (!body)
    void loadExplanation().then(
      ({ explainConfigFailure }) => explainConfigFailure(options, onOtherVisitor),
      () => undefined,
    );
  const hostCredential = named && (await loadOneVisitor()).oneVisitor(named, onOtherVisitor);
  const config = (body && readConfig(body)) ?? {};
  const given = hostCredential ? undefined : config.visitor?.token;
  // The backend itself knows whom the host names, for example from the session of the surrounding application.
  const mark = config.visitor?.named;
  // If the config could not be loaded, the token may be valid. With a named visitor, the token is still needed for the claim.
  if (body && kept !== undefined && given === undefined && !mark) storage.remove(key);

  const base = resolveApiBase({ option: options.apiBase, configured: config.apiBase, proxyUrl, pageUrl });
  const { origin } = new URL(base);
  // Cookies are sent to the origins of the page and of the proxy, as with the config's request. Other origins need not accept
  // them.
  const sendsCookies = [new URL(proxyUrl).origin, new URL(pageUrl).origin].includes(origin);
  const api = {
    base,
    fetch,
    credentials: sendsCookies ? "include" : "same-origin",
    credential: hostCredential ?? fixedCredential(body ? given : kept),
    signal,
  } as const;
  const forget = () => storage.remove(key);
  const transport = createHttpTransport(api, config.features);
  // The anonymous visitor's threads must move to the named visitor before the list is requested. Nothing else waits for that.
  const isOffered = config.features?.claim;
  const failure = named?.failure;
  const claiming =
    ((isOffered && (hostCredential ?? mark) !== undefined) || failure) &&
    loadClaim().then(
      ({ createClaim }) =>
        createClaim({ api, isOffered, failure, kept: () => kept ?? storage.read(key), forget, warn }),
      warn,
    );
  const claimed = async () => (await claiming)?.();
  let unkept = given === kept ? undefined : given;
  const eraseVisitor = async () => {
    const requests = await loadRareRequests();
    await requests.eraseVisitor(api);
    forget();
  };
  return {
    config,
    api,
    transport: {
      ...transport,
      ...(claiming && {
        listThreads: (...page) => claimed().then(() => transport.listThreads(...page)),
        createThread: (...given) => claimed().then(() => transport.createThread(...given)),
      }),
      ...(config.features?.erase && { eraseVisitor }),
    },
    subject: async () => (hostCredential ? hostCredential.subject() : (mark ?? "")),
    askWho: hostCredential?.askWho ?? (mark ? async (again) => again && onOtherVisitor() : undefined),
    remember() {
      if (unkept !== undefined) storage.write(key, unkept);
      unkept = undefined;
    },
  };
}
