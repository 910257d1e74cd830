import type { SpentTelling } from "./usage.ts";

/** The types of events that a project's webhooks can receive. */
export const WEBHOOK_TYPES = [
  "thread.created",
  "run.ended",
  "message.rated",
  "approval.denied",
  "visitor.erased",
  "budget.spent",
] as const;

export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** An event for one webhook, and its fields besides the ids. */
export interface WebhookNotice {
  readonly url: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Texts that people wrote. They are removed with the thread. */
  readonly texts?: Readonly<Record<string, string | undefined>>;
}

/** The webhook events to store in the transaction that they report. Empty lists store nothing. */
export interface Telling {
  readonly at: string;
  readonly notices: readonly WebhookNotice[];
}

/** The event that reports the erasure of a visitor. */
export interface ErasureTelling extends Telling {
  /**
   * The longest duration of a call, in milliseconds. A receiver that is being sent an event of the visitor gets the
   * erasure after that time.
   */
  readonly callMs: number;
}

/** The webhooks to notify of a run's end. This is stored with the run, since any instance may end it. */
export interface RunTelling {
  readonly ended: readonly { readonly url: string; readonly texts: boolean }[];
  /** The question's text, if a webhook gets texts. */
  readonly question?: string;
  readonly spent?: SpentTelling;
}

/** A pending event for one webhook. */
export interface WebhookEvent {
  /** Counts up: within a thread, a later event has a greater position. */
  readonly position: number;
  /** The same id in each attempt. */
  readonly id: string;
  readonly type: WebhookType;
  readonly at: string;
  readonly projectId: string;
  readonly url: string;
  readonly visitorId?: string;
  readonly threadId?: string;
  readonly messageId?: string;
  readonly toolCallId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly texts: Readonly<Record<string, unknown>>;
  /** The number of attempts so far. */
  readonly attempts: number;
  /** Milliseconds since it was stored, by the database's clock. */
  readonly ageMs: number;
}

/** Which events to claim, and for which instance. */
export interface WebhookClaim {
  readonly projectId: string;
  readonly url: string;
  readonly instanceId: string;
  readonly limit: number;
  /**
   * The positions of the events that this instance is sending. Other events that it has claimed, for example by a claim
   * whose reply was lost, are claimed again.
   */
  readonly held: readonly number[];
  /** A claim is void when its instance's last heartbeat is older than this, in milliseconds. */
  readonly staleMs: number;
}

/** The pending events of webhooks. An event is removed when it was received, or when it is abandoned. */
export interface WebhookStorage {
  /**
   * Claims due events of one webhook, the longest due first, and only the oldest of each thread. When several instances
   * claim at once, exactly one gets an event.
   */
  claim(claim: WebhookClaim): Promise<readonly WebhookEvent[]>;
  /** Removes an event. */
  remove(position: number): Promise<void>;
  /** Gives a claimed event back and postpones it, and the later events of its thread, by `ms` milliseconds. */
  postpone(event: Pick<WebhookEvent, "position" | "projectId" | "url" | "threadId">, ms: number): Promise<void>;
  /** Releases all claims of an instance. */
  release(instanceId: string): Promise<void>;
  /**
   * Removes some of the events that are older than `ageMs`, and returns which webhooks they belonged to. Call it again
   * until it returns none.
   */
  giveUp(ageMs: number): Promise<readonly Pick<WebhookEvent, "projectId" | "url" | "type">[]>;
}
