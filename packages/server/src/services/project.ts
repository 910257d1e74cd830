import type { ServerConfig } from "@nitka/protocol";
import type { Model } from "../model/model.ts";

/** One assistant on one or more sites: what its visitors see, who answers them, who may embed it, how much is allowed. */
export interface Project {
  /** The config call's fields, but for those that the server itself knows. */
  readonly config?: Omit<ServerConfig, "apiBase" | "visitor" | "features" | "models" | "model">;
  /** At least one. With several, the visitor chooses. */
  readonly models: readonly Model[];
  /** The id of the model that answers unless the visitor chose another. The first one by default. */
  readonly model?: string;
  /** What every model is told first, before the conversation. */
  readonly instructions?: string;
  /** The sites that may embed it, such as `https://shop.example`. Without any: the server's own origin alone. */
  readonly allowedOrigins?: readonly string[];
  readonly limits?: Partial<Limits>;
  /** The key of the JWTs (HS256) with which the host names its own visitors: at least 16 characters. Without it none are taken. */
  readonly secret?: string;
  /** Days after which a thread that nobody touched is dropped; `null` keeps it. The server's own unless given. */
  readonly retentionDays?: number | null;
  /** Days after which an archived thread is dropped; `null` keeps it. The server's own unless given. */
  readonly archiveDays?: number | null;
}

/** How much a project allows. `null` lifts a limit. */
export interface Limits {
  /** Questions of a visitor, in bursts of at most 10 (a third of it, where that is more). */
  readonly messagesPerMinute: number | null;
  /** New threads of a visitor. */
  readonly threadsPerMinute: number | null;
  /** Uploads of a visitor. */
  readonly uploadsPerMinute: number | null;
  /** Requests of an address. Making a visitor, a thread or an upload counts as four more. */
  readonly requestsPerMinute: number | null;
  /** Runs of a visitor that go on at one time, on all instances together. */
  readonly runsAtOnce: number | null;
  /** Runs of an address that go on at one time in this process, those of other projects included. */
  readonly addressRunsAtOnce: number | null;
  /** Questions of an address, in bursts of at most 10 (a third of it, where that is more). */
  readonly addressMessagesPerMinute: number | null;
  /** Runs of the whole project that go on at one time in this process. */
  readonly projectRunsAtOnce: number | null;
  /** Bytes of a visitor's files, those that were not sent too. */
  readonly storageBytes: number | null;
  /** Bytes of all files of the project. */
  readonly projectStorageBytes: number | null;
  /** Bytes of files that come from an address in a day (UTC), whatever becomes of them. */
  readonly addressStorageBytesPerDay: number | null;
  /** Threads of a visitor that are not archived. */
  readonly threads: number | null;
  /** Characters of a question's text. */
  readonly messageChars: number | null;
  /** Silence of the upstream after which a run is given up, in milliseconds. */
  readonly upstreamIdleMs: number | null;
  /** Characters of the conversation that go to the model, its instructions included. */
  readonly contextChars: number | null;
  /** Tokens that the answers of a visitor may use in a day (UTC). */
  readonly tokensPerDay: number | null;
  /** Tokens that all answers of the project may use in a day (UTC). */
  readonly projectTokensPerDay: number | null;
}

export const defaultLimits: Limits = {
  messagesPerMinute: 30,
  threadsPerMinute: 60,
  uploadsPerMinute: 30,
  requestsPerMinute: 600,
  runsAtOnce: 4,
  addressRunsAtOnce: 20,
  addressMessagesPerMinute: 60,
  projectRunsAtOnce: null,
  storageBytes: 200_000_000,
  projectStorageBytes: null,
  addressStorageBytesPerDay: 1_000_000_000,
  threads: 10_000,
  messageChars: 100_000,
  upstreamIdleMs: 60_000,
  contextChars: 400_000,
  tokensPerDay: null,
  projectTokensPerDay: null,
};
