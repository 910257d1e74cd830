import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "../../storage/storage.ts";
import type { WebhookEvent } from "../../storage/webhooks.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import type { Timings } from "../timings.ts";
import type { GivenUpLog } from "./given-up-log.ts";
import { createStateLog } from "./state-log.ts";
import { hostOf } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";
import { oneAtATime } from "../waiting/one-at-a-time.ts";

/** One attempt to deliver an event to a webhook. */
export interface WebhookCall {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  /** The time of the attempt. */
  readonly at: Date;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Signs and sends. Resolves to the HTTP status, and rejects without a response. */
export type PostWebhook = (call: WebhookCall) => Promise<number>;

export interface WebhookMetrics {
  webhookCalled(call: { readonly projectId: string; readonly result: "ok" | "error" }): void;
  /** An event was abandoned without delivery. */
  webhookFailed(event: Pick<WebhookEvent, "projectId" | "type">): void;
}

export interface DeliveryOptions {
  readonly storage: Pick<Storage, "webhooks">;
  readonly post: PostWebhook;
  readonly instanceId: string;
  readonly metrics: WebhookMetrics;
  readonly logger: Log;
  readonly clock: () => Date;
  readonly timings: Pick<Timings, "staleMs" | "webhookMs" | "webhookRetriesMs" | "webhookPatienceMs">;
}

/** The options of a delivery, plus the parts that its sender provides. */
export interface DeliveryParts extends DeliveryOptions {
  /**
   * Aborted when this instance closes: an event whose result is not stored by then is sent again by the next instance.
   */
  readonly closing: AbortSignal;
  readonly givenUp: GivenUpLog;
}

/** Sends the events for one address of a project: the calls, their retries, and giving up. */
export interface Delivery {
  /**
   * Sets the webhook whose secret signs the calls; `undefined` when the project has no webhook at this address. A
   * receiver that answered 410 is tried again after the projects were reloaded.
   */
  use(webhook: Webhook | undefined): void;
  /** Sends the due events, as far as the limit of concurrent calls allows. */
  look(): void;
  /** Begins no more calls. Resolves when the calls in progress have ended. */
  stop(): Promise<void>;
}

/** RFC 9110, section 15.5.11; Standard Webhooks: the receiver wants no more events. */
const GONE = 410;

type Outcome = { readonly isOk: true } | { readonly isOk: false; readonly reason: unknown };

export function createDelivery(options: DeliveryParts, projectId: string, url: string): Delivery {
  const { storage, post, instanceId, metrics, logger, clock, timings, closing, givenUp } = options;
  /** The calls in progress, by the position of their event. */
  const calls = new Map<number, Promise<void>>();
  const named = { projectId, host: hostOf(url) };
  const state = createStateLog(logger, named);
  let current: Webhook | undefined;
  let isGone = false;
  let isStopped = false;

  async function lookOnce(): Promise<void> {
    const limit = WEBHOOKS.callsAtOnce - calls.size;
    if (!current || isGone || isStopped || limit <= 0) return;
    const { secret } = current;
    const { staleMs } = timings;
    const held = [...calls.keys()];
    const events = await storage.webhooks.claim({ projectId, url, instanceId, limit, held, staleMs });
    if (isStopped) return;
    for (const event of events) {
      const call = tell(event, secret).finally(() => {
        calls.delete(event.position);
        look();
      });
      calls.set(event.position, call);
    }
  }

  const lookInTurn = oneAtATime(async () => {
    await lookOnce().catch((error: unknown) => {
      logger.warn({ ...named, error: describeError(error) }, "pending events for a webhook could not be read");
    });
  });
  const look = () => void lookInTurn();

  async function tell(event: WebhookEvent, secret: string): Promise<void> {
    const outcome = await send(event, secret);
    metrics.webhookCalled({ projectId, result: outcome.isOk ? "ok" : "error" });
    state.note(outcome.isOk ? undefined : outcome.reason);
    const retryMs = timings.webhookRetriesMs[event.attempts] ?? timings.webhookRetriesMs.at(-1) ?? 0;
    const isGivenUp = !outcome.isOk && event.ageMs + retryMs >= timings.webhookPatienceMs;
    if (isGivenUp) {
      metrics.webhookFailed(event);
      const { id, type, threadId } = event;
      givenUp.add({ projectId, url }, outcome.reason, { id, type, threadId });
    }
    await stored(() =>
      outcome.isOk || isGivenUp ? storage.webhooks.remove(event.position) : storage.webhooks.postpone(event, retryMs),
    );
  }

  async function send(event: WebhookEvent, secret: string): Promise<Outcome> {
    try {
      const { id, type, at } = event;
      const body = JSON.stringify({ type, timestamp: at, data: dataOf(event) });
      const signal = AbortSignal.timeout(timings.webhookMs);
      const status = await post({ url, secret, id, at: clock(), body, signal });
      if (status >= 200 && status < 300) return { isOk: true };
      if (status === GONE) {
        isGone = true;
        logger.error(named, "a webhook is gone (410): nothing is sent to it until the next start or reload");
      }
      return { isOk: false, reason: `HTTP ${status}` };
    } catch (error) {
      return { isOk: false, reason: describeError(error) };
    }
  }

  /**
   * Stores the result of a call, and retries until it is stored: the event belongs to this instance as long as the
   * instance lives.
   */
  async function stored(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        logger.warn(
          { ...named, error: describeError(error) },
          "the result of a call to a webhook could not be stored; it is retried",
        );
        if (closing.aborted) return;
        await sleep(WEBHOOKS.storeRetryMs, undefined, { ref: false });
      }
    }
  }

  return {
    use(webhook) {
      if (webhook !== current) isGone = false;
      current = webhook;
    },
    look,
    async stop() {
      isStopped = true;
      state.stop();
      await Promise.all(calls.values());
    },
  };
}

function dataOf(event: WebhookEvent): Readonly<Record<string, unknown>> {
  const { projectId, visitorId, threadId, messageId, toolCallId, fields, texts } = event;
  return { projectId, visitorId, threadId, messageId, toolCallId, ...fields, ...texts };
}
