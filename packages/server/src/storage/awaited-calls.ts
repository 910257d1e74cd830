import type { Telling } from "./webhooks.ts";

/** A tool call of a run that waits for the visitor. The pair of ids is unique. */
export interface AwaitedCallKey {
  readonly runId: string;
  readonly toolCallId: string;
}

export interface NewAwaitedCall extends AwaitedCallKey {
  readonly toolName: string;
  /** `approval`: the visitor allows or denies a tool of the server. `page`: the visitor's page runs a tool of its own. */
  readonly kind: "approval" | "page";
  readonly askedAt: string;
}

/**
 * How the wait for a call ended.
 *
 * - `approved`: the server's tool may run.
 * - `output`, `failed`: the page's tool has returned this output or thrown this error.
 * - `denied`: the visitor has refused. `expired`: nobody answered in time. `cancelled`: the run has stopped.
 */
export type CallDecision =
  | { readonly type: "approved" }
  | { readonly type: "denied"; readonly reason?: string }
  | { readonly type: "output"; readonly output: unknown }
  | { readonly type: "failed"; readonly errorText: string }
  | { readonly type: "expired" }
  | { readonly type: "cancelled" };

/** Who decided, and when. Without a `visitorId` the server decided. */
export interface DecidedBy {
  readonly visitorId?: string;
  readonly at: string;
}

export interface StoredAwaitedCall extends NewAwaitedCall {
  /** The id of the page that has claimed the call. */
  readonly claimedBy?: string;
  /** Set when the visitor has allowed the call of a page's tool whose output is still pending. */
  readonly allowed?: DecidedBy;
  readonly decided?: DecidedBy & { readonly decision: CallDecision };
}

/** A visitor's decision about a tool call, for the export of their data. */
export interface ExportedApproval {
  readonly messageId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly askedAt: string;
  readonly decision: "approved" | "denied" | "expired" | "cancelled" | "none";
  /** The visitor who decided. */
  readonly by?: string;
  readonly at?: string;
  readonly reason?: string;
}

/**
 * The tool calls that wait for visitors. The database decides which decision is first: of any number of answers, a
 * time-out and a cancellation, on any number of instances at once, exactly one counts. The instance that writes the run
 * then receives the signal `answered`.
 */
export interface AwaitedCallStorage {
  /** Stores a call that waits from now on. Storing the same call twice is allowed. */
  add(call: NewAwaitedCall): Promise<void>;
  find(key: AwaitedCallKey): Promise<StoredAwaitedCall | undefined>;
  /** The calls of a run that were allowed or whose wait has ended. */
  answered(runId: string): Promise<readonly StoredAwaitedCall[]>;
  /** Claims a call for a page. Returns false when another page has claimed it, or when the wait has ended. */
  claim(key: AwaitedCallKey, pageId: string): Promise<boolean>;
  /**
   * Notes that the visitor has allowed a page's tool; the call keeps waiting for its output. Returns false when the
   * wait has ended.
   */
  allow(key: AwaitedCallKey, by: DecidedBy): Promise<boolean>;
  /**
   * Ends the wait and queues its webhook event. When the wait has ended before, returns false, changes nothing and
   * queues no event.
   */
  decide(key: AwaitedCallKey, decision: CallDecision, by: DecidedBy, telling?: Telling): Promise<boolean>;
  /** Drops the output of a call once the stored answer contains it. */
  dropOutput(key: AwaitedCallKey): Promise<void>;
}
