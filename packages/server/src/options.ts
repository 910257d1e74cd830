import type { Admit, Identify } from "./http/host-checks.ts";
import type { Log } from "./services/log.ts";
import type { NewId } from "./services/new-id.ts";
import type { Project } from "./services/projects/project.ts";
import type { Timings } from "./services/timings.ts";
import type { Storage } from "./storage/storage.ts";

/** The options of `createChatServer`. The server does not close the storage: its owner closes it after the server. */
export interface ChatServerOptions {
  /** The storage of all data. All instances must share the same one. */
  readonly storage: Storage;
  /**
   * The projects by id. The operations of the project `default` are under `/api/debug`, those of the others under
   * `/p/{id}/api/debug`.
   */
  readonly projects: Readonly<Record<string, Project>>;
  /**
   * The secret that signs the visitors' cookies and tokens: at least 16 characters, the same on every instance and
   * after a restart. With several secrets, the first one signs and all of them verify, so that a secret can be changed
   * without a visitor losing their threads.
   */
  readonly secret: string | readonly string[];
  /**
   * The path that the server is mounted under, such as `/chat`, if the framework keeps this path in the request.
   * Default: "".
   */
  readonly basePath?: string;
  /**
   * The id of this instance among those on the same storage. Default: the storage's id, or a random one when the
   * storage has none.
   */
  readonly instanceId?: string;
  /** The time that is stored and shown. Default: the machine's clock. */
  readonly clock?: () => Date;
  /** Makes unguessable ids. */
  readonly newId?: NewId;
  /** The log. Default: warnings and errors go to the console. `false` disables logging. */
  readonly log?: Log | false;
  /** The most concurrent runs of this process. Default: 250. Beyond it a question gets 503. */
  readonly maxRuns?: number;
  /**
   * The most bytes of bodies, uploads and files for models in memory at one time. Default: 256,000,000; minimum:
   * 64,000,000. Beyond it a request gets 503.
   */
  readonly maxBufferedBytes?: number;
  /**
   * The number of days after its last change when a thread is deleted. Default: threads are kept. A project's own
   * setting takes precedence. The server checks at its start and every hour, so 0 days means the next check.
   */
  readonly retentionDays?: number;
  /**
   * The number of days after which an archived thread is deleted. Default: 30. A project's own setting takes
   * precedence.
   */
  readonly archiveDays?: number;
  /**
   * The number of proxies in front that append to `X-Forwarded-For`. The visitor's address is then taken from this
   * header, the scheme from `X-Forwarded-Proto`, and the request's id from `X-Request-Id`. Default: 0: the address is
   * that of the Node connection, and these headers are ignored.
   */
  readonly trustedProxies?: number;
  /**
   * Returns the client's address of a request, if the surrounding framework knows it. `trustedProxies` then does not
   * affect the address. Without this option and without a Node connection (`bindings`), all visitors share the limits
   * of one address.
   */
  readonly clientAddress?: ((request: Request) => string | undefined) | undefined;
  /**
   * Identifies the sender of a request without a token, for example by the session of the surrounding application: the
   * sender is the same visitor as with a token with this `sub`. It returns nothing for anybody else. The server calls
   * it for each request to the chat's API; the request fails when it takes more than 5 s.
   */
  readonly identify?: Identify | undefined;
  /**
   * Decides, in addition to the limits, whether a thread, a question or an upload is accepted. It returns nothing to
   * accept, or a refusal. If it throws or takes more than 2 s, the request is accepted, and the log has a warning.
   */
  readonly admit?: Admit | undefined;
  /** Pages to switch off, for example `{ metrics: false, openapi: false }`. Default: all pages are served. */
  readonly pages?: { readonly metrics?: false; readonly openapi?: false };
  /** The server's waiting times, in milliseconds. */
  readonly timings?: Partial<Timings>;
}
