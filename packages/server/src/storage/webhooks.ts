import type { SpentTelling } from "./usage.ts";

/** What a project's webhooks hear about. */
export const WEBHOOK_TYPES = [
  "thread.created",
  "run.ended",
  "message.rated",
  "approval.denied",
  "visitor.erased",
  "budget.spent",
] as const;

export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** One webhook that hears of something, and what it hears beside ids. */
export interface WebhookNotice {
  readonly url: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** What people have said. It is removed when the thread is. */
  readonly texts?: Readonly<Record<string, string | undefined>>;
}

/** What is stored for webhooks in the transaction of what it tells. Empty lists store nothing. */
export interface Telling {
  readonly at: string;
  readonly notices: readonly WebhookNotice[];
}

/** That a visitor was erased. */
export interface ErasureTelling extends Telling {
  /** How long a call takes at most. Who is being told something of the visitor hears of the erasure after that. */
  readonly callMs: number;
}

/** The webhooks that hear of a run's end. It is stored with the run, so that they hear of it from each instance that may end it. */
export interface RunTelling {
  readonly ended: readonly { readonly url: string; readonly texts: boolean }[];
  /** The question's text, where a webhook gets texts. */
  readonly question?: string;
  readonly spent?: SpentTelling;
}

/** Something that one webhook is still to be told. */
export interface WebhookEvent {
  /** Counts up. Of one thread a greater one came later. */
  readonly position: number;
  /** The same in each try. */
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
  /** How often it was tried. */
  readonly attempts: number;
  /** Since it was stored, by the database's clock. */
  readonly ageMs: number;
}

/** Whose events are claimed, and by whom. */
export interface WebhookClaim {
  readonly projectId: string;
  readonly url: string;
  readonly instanceId: string;
  readonly limit: number;
  /** Positions of what this instance is telling. What else it has claimed, without having heard of it, is claimed again. */
  readonly held: readonly number[];
  /** The claims of instances whose last heartbeat is older count no longer. */
  readonly staleMs: number;
}

/** What webhooks are still to be told. An event goes when it was received, or is given up. */
export interface WebhookStorage {
  /**
   * Claims events of one webhook that are due, those that are due longest first: of each thread only its oldest one. Of several
   * instances at once one claims an event.
   */
  claim(claim: WebhookClaim): Promise<readonly WebhookEvent[]>;
  /** Removes an event. */
  remove(position: number): Promise<void>;
  /** Gives a claimed event back, to be tried again after `ms`, and those of its thread behind it too. */
  postpone(event: Pick<WebhookEvent, "position" | "projectId" | "url" | "threadId">, ms: number): Promise<void>;
  /** Gives back what an instance has claimed. */
  release(instanceId: string): Promise<void>;
  /** Removes some of the events that are older, and returns whose they were. None is left when it returns none. */
  giveUp(ageMs: number): Promise<readonly Pick<WebhookEvent, "projectId" | "url" | "type">[]>;
}
