import type { ServerConfig } from "@nitka/protocol";
import type { Knowledge } from "../../knowledge.ts";
import type { Model } from "../../model/model.ts";
import type { Tokens } from "../../storage/storage.ts";
import type { ToolViews } from "../tools/tool-views.ts";
import type { Webhook } from "../webhooks/webhook.ts";

/** One assistant on one or more sites: its look, its models, the sites that may embed it, its limits. */
export interface Project {
  /** The fields of the config that the server does not fill in itself. */
  readonly config?: ProjectConfig;
  /** At least one model. With several, the visitor chooses. */
  readonly models: readonly Model[];
  /** The id of the model for visitors who have not chosen one. Default: the first model. */
  readonly model?: string;
  /** Instructions that precede every conversation, for every model. */
  readonly instructions?: string;
  /**
   * The search of the assistant's site. Each model gets the tool `search_site`, and cites the passages that it uses.
   * Unanswered questions are stored for operators (`storage.desk`).
   */
  readonly knowledge?: Knowledge;
  /** The origins that may embed the chat, such as `https://shop.example`. Default: only the server's own origin. */
  readonly allowedOrigins?: readonly string[];
  /**
   * The server's tools whose calls the visitor has to approve: `cancel_order`, or `shop/refund` of the MCP server
   * `shop`, with `*` for any text. `!` before an entry makes an exception. It also exempts tools that MCP marks as
   * destructive, which otherwise need approval without an entry. Of several matching entries, the one with the most
   * literal characters decides; in a tie, the one that requires approval.
   */
  readonly approve?: readonly string[];
  /** Limits that differ from `defaultLimits`. */
  readonly limits?: Partial<Limits>;
  /**
   * The key of the JWTs (HS256) with which the host identifies its visitors: at least 16 characters. Without it no JWT
   * is accepted.
   */
  readonly secret?: string;
  /** The claims of a host's JWT that every model gets as data, such as `["name", "plan"]`. Default: none. */
  readonly shareClaims?: readonly string[];
  /** How much of the tools' calls visitors see in streams, histories and exports. Default: everything. */
  readonly toolViews?: ToolViews;
  /** Whether the model suggests follow-up questions after each answer. */
  readonly followUps?: boolean;
  /** The prices of the models by their ids, for the operators' desk. Without them the desk only shows tokens. */
  readonly prices?: Readonly<Record<string, ModelPrice>>;
  /** The currency of `prices` (ISO 4217). Default: `USD`. */
  readonly currency?: string;
  /** The addresses that receive the project's events. */
  readonly webhooks?: readonly Webhook[];
  /**
   * The number of days after its last change when a thread is deleted; `null` keeps it. Default: the server's option.
   */
  readonly retentionDays?: number | null;
  /** The number of days after which an archived thread is deleted; `null` keeps it. Default: the server's option. */
  readonly archiveDays?: number | null;
}

/** The fields of the config that a project may set. */
export interface ProjectConfig extends Omit<
  ServerConfig,
  "apiBase" | "visitor" | "features" | "models" | "model" | "notice"
> {
  /** The line below the composer that says that an AI answers. `false` removes it. */
  readonly notice?: NonNullable<ServerConfig["notice"]> | false;
}

/** Prices per million tokens. */
export interface ModelPrice {
  /** The price of a million input tokens. */
  readonly input: number;
  /** The price of a million input tokens that the upstream had cached. Default: `input`. */
  readonly cachedInput?: number;
  /** The price of a million output tokens. */
  readonly output: number;
}

const PRICED_TOKENS = 1_000_000;

/**
 * The cost of tokens, in the currency of the price; `undefined` for a model without a price.
 *
 * @example costOf({ inputTokens: 2e6, cachedInputTokens: 1e6, outputTokens: 0 }, { input: 3, cachedInput: 1, output: 9 }) // 4
 */
export function costOf(
  { inputTokens, cachedInputTokens, outputTokens }: Tokens,
  price: ModelPrice | undefined,
): number | undefined {
  if (!price) return undefined;
  const { input, cachedInput = input, output } = price;
  const paid = (inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output;
  return paid / PRICED_TOKENS;
}

/** The limits of a project. `null` means no limit. */
export interface Limits {
  /** A visitor's questions per minute, in bursts of at most 10, or of a third of the limit if that is more. */
  readonly messagesPerMinute: number | null;
  /** A visitor's new threads per minute. */
  readonly threadsPerMinute: number | null;
  /** A visitor's uploads per minute. */
  readonly uploadsPerMinute: number | null;
  /** Requests per minute from an address. A new visitor, thread or upload counts as four more. */
  readonly requestsPerMinute: number | null;
  /** A visitor's concurrent runs, on all instances together. */
  readonly runsAtOnce: number | null;
  /** Concurrent runs from an address in this process, in all projects together. */
  readonly addressRunsAtOnce: number | null;
  /** Questions per minute from an address, in bursts of at most 10, or of a third of the limit if that is more. */
  readonly addressMessagesPerMinute: number | null;
  /** Concurrent runs of the project in this process. */
  readonly projectRunsAtOnce: number | null;
  /** The bytes of a visitor's files, sent or not. */
  readonly storageBytes: number | null;
  /** The bytes of all files of the project. */
  readonly projectStorageBytes: number | null;
  /** The bytes that may be uploaded from an address per UTC day, including refused and deleted files. */
  readonly addressStorageBytesPerDay: number | null;
  /** A visitor's threads that are not archived. As many archived threads are kept, those archived last. */
  readonly threads: number | null;
  /** The characters of a question's text. */
  readonly messageChars: number | null;
  /** Milliseconds of upstream silence after which a run fails. */
  readonly upstreamIdleMs: number | null;
  /** Milliseconds without any part of an answer after which a model's fallback is asked. */
  readonly firstByteMs: number | null;
  /** Milliseconds after which a call of a server's tool fails. The model continues. */
  readonly toolMs: number | null;
  /** Milliseconds that a tool call waits for the visitor: at most a day, also with `null`. */
  readonly toolWaitMs: number | null;
  /** The characters that are sent to the model: conversation and instructions. */
  readonly contextChars: number | null;
  /** The tokens that a visitor's answers may use per UTC day. */
  readonly tokensPerDay: number | null;
  /** The tokens that all answers of the project may use per UTC day. */
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
