import type { ServerConfig } from "@nitka/protocol";
import type { Knowledge } from "../../knowledge.ts";
import type { Model } from "../../model/model.ts";
import type { ToolViews } from "../tools/tool-views.ts";
import type { Webhook } from "../webhooks/webhook.ts";

/** One assistant on one or more sites: its looks, its models, the sites that may embed it, its limits. */
export interface Project {
  /** The fields of the config that the server does not fill in itself. */
  readonly config?: ProjectConfig;
  /** At least one. With several, the visitor chooses. */
  readonly models: readonly Model[];
  /** The id of the model for visitors who have chosen none. The first one by default. */
  readonly model?: string;
  /** Instructions that stand before every conversation, for every model. */
  readonly instructions?: string;
  /**
   * What the assistant can look up about its site: each model gets the tool `search_site`, and cites what it has found. What it
   * could not answer is kept for operators (`storage.desk`).
   */
  readonly knowledge?: Knowledge;
  /** The origins that may embed it, such as `https://shop.example`. Without any, only the server's own origin may. */
  readonly allowedOrigins?: readonly string[];
  /**
   * The tools of the server whose calls the visitor has to approve: `cancel_order`, or `shop/refund` of the MCP server
   * `shop`, with `*` for any text. `!` before an entry makes an exception, also for tools that MCP marks as destructive,
   * which are asked about anyway. Of several entries that match, the one with the most literal characters decides, and of
   * equals the one that asks.
   */
  readonly approve?: readonly string[];
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /** The key of the JWTs (HS256) with which the host names its visitors: at least 16 characters. Without it no JWT is accepted. */
  readonly secret?: string;
  /** The claims of a host's JWT that every model is told as data, such as `["name", "plan"]`. Without it, none. */
  readonly shareClaims?: readonly string[];
  /** How much of its tools' calls visitors get to see, in streams, histories and exports. Without it, all of them. */
  readonly toolViews?: ToolViews;
  /** Whether the model suggests what to ask after each answer. */
  readonly followUps?: boolean;
  /** What the models cost, by their ids, for the operators' desk. Without it the desk shows tokens alone. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  /** The currency of `prices` (ISO 4217): `USD` by default. */
  readonly currency?: string;
  /** Who is told what happens in the project. */
  readonly webhooks?: readonly Webhook[];
  /** A thread is deleted this many days after its last change; `null` keeps it. The server's option by default. */
  readonly retentionDays?: number | null;
  /** An archived thread is deleted after this many days; `null` keeps it. The server's option by default. */
  readonly archiveDays?: number | null;
}

/** What a project says of the config. */
export interface ProjectConfig extends Omit<
  ServerConfig,
  "apiBase" | "visitor" | "features" | "models" | "model" | "notice"
> {
  /** The line below the composer that says that an AI answers. `false` removes it. */
  readonly notice?: NonNullable<ServerConfig["notice"]> | false;
}

/** The price of a million tokens. */
export interface ModelPrice {
  /** Of tokens that are sent. */
  readonly input: number;
  /** Of tokens from the upstream's cache: as `input` by default. */
  readonly cachedInput?: number;
  /** Of tokens that are received. */
  readonly output: number;
}

/** The limits of a project. `null` is no limit. */
export interface Limits {
  /** Questions of a visitor, in bursts of at most 10 (a third of it, where that is more). */
  readonly messagesPerMinute: number | null;
  /** New threads of a visitor. */
  readonly threadsPerMinute: number | null;
  /** Uploads of a visitor. */
  readonly uploadsPerMinute: number | null;
  /** Requests of an address. A new visitor, thread or upload counts as four more. */
  readonly requestsPerMinute: number | null;
  /** Runs of a visitor at one time, on all instances together. */
  readonly runsAtOnce: number | null;
  /** Runs of an address at one time in this process, in all projects together. */
  readonly addressRunsAtOnce: number | null;
  /** Questions of an address, in bursts of at most 10 (a third of it, where that is more). */
  readonly addressMessagesPerMinute: number | null;
  /** Runs of the project at one time in this process. */
  readonly projectRunsAtOnce: number | null;
  /** Bytes of a visitor's files, sent or not. */
  readonly storageBytes: number | null;
  /** Bytes of all files of the project. */
  readonly projectStorageBytes: number | null;
  /** Bytes of files that are uploaded from an address in a day (UTC), those that were refused or deleted included. */
  readonly addressStorageBytesPerDay: number | null;
  /** Threads of a visitor that are not archived; of archived ones as many are kept, those that were archived last. */
  readonly threads: number | null;
  /** Characters of a question's text. */
  readonly messageChars: number | null;
  /** A run fails after the upstream was silent for this long, in milliseconds. */
  readonly upstreamIdleMs: number | null;
  /** The fallback of a model is asked when no part of an answer has come for this long, in milliseconds. */
  readonly firstByteMs: number | null;
  /** A call of a tool of the server that takes longer, in milliseconds, has failed. The model goes on. */
  readonly toolMs: number | null;
  /** A tool call waits this long for the visitor, in milliseconds: a day at most, also with `null`. */
  readonly toolWaitMs: number | null;
  /** Characters that go to the model: the conversation's and the instructions'. */
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
  firstByteMs: 20_000,
  toolMs: 60_000,
  toolWaitMs: 120_000,
  contextChars: 400_000,
  tokensPerDay: null,
  projectTokensPerDay: null,
};
