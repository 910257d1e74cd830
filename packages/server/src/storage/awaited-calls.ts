import type { Telling } from "./webhooks.ts";

/** A tool call of a run that waits for the visitor. Both ids together are unique. */
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
 * How the wait for a call has ended.
 *
 * - `approved`: the tool of the server may run.
 * - `output`, `failed`: what the page's tool has returned or thrown.
 * - `denied`: by the visitor. `expired`: nobody has answered in time. `cancelled`: the run has stopped.
 */
export type CallDecision =
  | { readonly type: "approved" }
  | { readonly type: "denied"; readonly reason?: string }
  | { readonly type: "output"; readonly output: unknown }
  | { readonly type: "failed"; readonly errorText: string }
  | { readonly type: "expired" }
  | { readonly type: "cancelled" };

/** Who has decided, and when. Without a visitor, the server has. */
export interface DecidedBy {
  readonly visitorId?: string;
  readonly at: string;
}

export interface StoredAwaitedCall extends NewAwaitedCall {
  /** The id of the page that has claimed the call. */
  readonly claimedBy?: string;
  /** The visitor has allowed the call of a page's tool, which is still to answer. */
  readonly allowed?: DecidedBy;
  readonly decided?: DecidedBy & { readonly decision: CallDecision };
}

/** What a visitor has decided about a tool call, for the export of their data. */
export interface ExportedApproval {
  readonly messageId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly askedAt: string;
  readonly decision: "approved" | "denied" | "expired" | "cancelled" | "none";
  /** The visitor who has decided. */
  readonly by?: string;
  readonly at?: string;
  readonly reason?: string;
}

/**
 * The tool calls that wait for visitors. The database decides who is first: of any number of answers, a time-out and a
 * cancellation, on any number of instances at once, exactly one counts. The instance that writes the run then receives
 * `answered`.
 */
export interface AwaitedCallStorage {
  /** Stores a call that waits from now on. The same call may be stored again. */
  add(call: NewAwaitedCall): Promise<void>;
  find(key: AwaitedCallKey): Promise<StoredAwaitedCall | undefined>;
  /** The calls of a run that were allowed or whose wait is over. */
  answered(runId: string): Promise<readonly StoredAwaitedCall[]>;
  /** Claims a call for a page. Returns false when another page has claimed it, or the wait is over. */
  claim(key: AwaitedCallKey, pageId: string): Promise<boolean>;
  /** Notes that the visitor has allowed a page's tool, which goes on waiting. Returns false when the wait is over. */
  allow(key: AwaitedCallKey, by: DecidedBy): Promise<boolean>;
  /** Ends the wait. Returns false and changes nothing, and tells no webhook, when it is over already. */
  decide(key: AwaitedCallKey, decision: CallDecision, by: DecidedBy, telling?: Telling): Promise<boolean>;
  /** Drops the output of a call whose answer has it by now. */
  dropOutput(key: AwaitedCallKey): Promise<void>;
}
