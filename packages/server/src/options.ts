import type { Log } from "./services/log.ts";
import type { NewId } from "./services/new-id.ts";
import type { Project } from "./services/project.ts";
import type { Timings } from "./services/timings.ts";
import type { Storage } from "./storage/storage.ts";

/** What `createChatServer` is given. Whoever opens the storage closes it, after the server. */
export interface ChatServerOptions {
  readonly storage: Storage;
  /** By id. The project `default` answers under `/api/debug`, every other one under `/p/{id}/api/debug`. */
  readonly projects: Readonly<Record<string, Project>>;
  /**
   * Signs the visitors' cookies and tokens: at least 16 characters, the same on every instance and after a restart. Of
   * several the first one signs, and what the others have signed is still taken: so a secret is changed without a
   * visitor losing their threads.
   */
  readonly secret: string | readonly string[];
  /** The path that the server is mounted under where the framework does not take it off: `/chat`, without a slash at its end. None unless given. */
  readonly basePath?: string;
  /** Names this process among those on the same storage. The storage's own unless given; where that has none, made anew for each start. */
  readonly instanceId?: string;
  readonly clock?: () => Date;
  /** Makes ids that nobody can guess. */
  readonly newId?: NewId;
  readonly log?: Log;
  /** Runs of this process that go on at one time, 250 unless given; beyond it: 503. */
  readonly maxRuns?: number;
  /**
   * Bytes that bodies, uploads and the files of models' requests may take up in memory at one time: 256,000,000 unless
   * given, at least 64,000,000. Beyond it: 503.
   */
  readonly maxBufferedBytes?: number;
  /**
   * Days after which a thread that nobody touched is dropped. Without it threads are kept. A project's own goes before.
   * Looked at when the server starts and each hour after; 0 days: at the next such time.
   */
  readonly retentionDays?: number;
  /** Days after which an archived thread is dropped: 30 unless given. A project's own goes before. */
  readonly archiveDays?: number;
  /**
   * Proxies in front that add to `X-Forwarded-For`: a visitor's address is taken from there when there are any. 0
   * unless given: the address is the Node connection's.
   */
  readonly trustedProxies?: number;
  /**
   * The address that a request came from, where the framework around knows it: limits by address go by it, and
   * `trustedProxies` no longer matters. Where there is neither this nor a Node connection (`bindings`), all callers
   * share the limits of one address.
   */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  readonly timings?: Partial<Timings>;
}
