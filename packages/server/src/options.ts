import type { Admit, Identify } from "./http/host-checks.ts";
import type { Log } from "./services/log.ts";
import type { NewId } from "./services/new-id.ts";
import type { Project } from "./services/projects/project.ts";
import type { Timings } from "./services/timings.ts";
import type { Storage } from "./storage/storage.ts";

/** The options of `createChatServer`. The server does not close the storage: who opens it closes it, after the server. */
export interface ChatServerOptions {
  /** Where everything is kept. Every instance has the same one. */
  readonly storage: Storage;
  /** By id. The operations of the project `default` are under `/api/debug`, those of the others under `/p/{id}/api/debug`. */
  readonly projects: Readonly<Record<string, Project>>;
  /**
   * Signs the visitors' cookies and tokens: at least 16 characters, the same on every instance and after a restart. Of
   * several, the first one signs and all of them verify, so that a secret can be changed without a visitor losing their
   * threads.
   */
  readonly secret: string | readonly string[];
  /** The path that the server is mounted under, such as `/chat`, where the framework around leaves it in the request's path. "" by default. */
  readonly basePath?: string;
  /** The id of this instance among those on the same storage. By default the storage's; where that has none, a random one. */
  readonly instanceId?: string;
  /** The time that is stored and shown: by default the machine's. */
  readonly clock?: () => Date;
  /** Makes ids that cannot be guessed. */
  readonly newId?: NewId;
  /** Where lines go: by default warnings and errors to the console. `false` for nowhere. */
  readonly log?: Log | false;
  /** Runs of this process at one time: 250 by default. Beyond it a question gets 503. */
  readonly maxRuns?: number;
  /**
   * Bytes of bodies, uploads and files for models that are in memory at one time: 256,000,000 by default, at least
   * 64,000,000. Beyond it a request gets 503.
   */
  readonly maxBufferedBytes?: number;
  /**
   * A thread is deleted this many days after its last change; without this option threads are kept. A project's own setting
   * takes precedence. Checked when the server starts and every hour, so 0 days means the next check.
   */
  readonly retentionDays?: number;
  /** An archived thread is deleted after this many days: 30 by default. A project's own setting takes precedence. */
  readonly archiveDays?: number;
  /**
   * How many proxies in front append to `X-Forwarded-For`: the visitor's address is then taken from there, the scheme from
   * `X-Forwarded-Proto`, and the request's id from `X-Request-Id`. 0 by default: the address is that of the Node connection,
   * and what a request says that a proxy saw is ignored.
   */
  readonly trustedProxies?: number;
  /**
   * The address that a request came from, where the framework around the server knows it. `trustedProxies` then has no
   * effect on it. Without this and without a Node connection (`bindings`), all visitors share the limits of one address.
   */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  /**
   * Who sends a request, where the host knows it without a token, such as by the session of the application around: they are the
   * same visitor as of a token with this `sub`. Nothing for anybody else. Asked with each request to the chat's API; after 5 s
   * the request fails.
   */
  readonly identify?: Identify | undefined;
  /**
   * Whether a thread, a question or an upload is taken, beyond the limits. It returns nothing, or why it is not. A host that
   * fails, or takes more than 2 s, keeps nobody out, and the log has a warning.
   */
  readonly admit?: Admit | undefined;
  /** Pages that are left out, such as `{ metrics: false, openapi: false }`. By default all are served. */
  readonly pages?: { readonly metrics?: false; readonly openapi?: false };
  /** How long the server waits for what, in milliseconds. */
  readonly timings?: Partial<Timings>;
}
