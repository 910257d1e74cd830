import { setTimeout as sleep } from "node:timers/promises";
import type { Storage } from "../../storage/storage.ts";
import type { WebhookEvent } from "../../storage/webhooks.ts";
import { describeError } from "../describe-error.ts";
import type { Log } from "../log.ts";
import { WEBHOOKS } from "../timings.ts";
import type { Timings } from "../timings.ts";
import type { GivenUpLog } from "./given-up-log.ts";
import { hostOf } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";

/** One try to tell a webhook something. */
export interface WebhookCall {
  readonly url: string;
  readonly secret: string;
  readonly id: string;
  /** The moment of the try. */
  readonly at: Date;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Signs and sends; resolves to the HTTP status. Rejects when there is none. */
export type PostWebhook = (call: WebhookCall) => Promise<number>;

export interface WebhookMetrics {
  webhookCalled(call: { readonly projectId: string; readonly result: "ok" | "error" }): void;
  /** Something was given up: nobody was told. */
  webhookFailed(event: Pick<WebhookEvent, "projectId" | "type">): void;
}

export interface ReceiverOptions {
  readonly storage: Pick<Storage, "webhooks">;
  readonly post: PostWebhook;
  readonly instanceId: string;
  readonly metrics: WebhookMetrics;
  readonly logger: Log;
  readonly clock: () => Date;
  readonly timings: Pick<Timings, "staleMs" | "webhookMs" | "webhookRetriesMs" | "webhookPatienceMs">;
}

/** What a receiver gets of the sender that made it. */
export interface ReceiverParts extends ReceiverOptions {
  /** Aborts when this instance closes: what is not stored then is told again by the next one. */
  readonly closing: AbortSignal;
  readonly givenUp: GivenUpLog;
}

/** The calls to one address of a project. */
export interface Receiver {
  /**
   * Sends from now on as this webhook; nothing where the project has none there. One that is gone is tried anew when its
   * project was read again.
   */
  use(webhook: Webhook | undefined): void;
  /** Sends what is due, as far as there is room. */
  look(): void;
  /** Begins no call any more. Resolves when those under way are over. */
  stop(): Promise<void>;
}

/** RFC 9110, section 15.5.11; Standard Webhooks: the receiver wants no more. */
const GONE = 410;

type Outcome = { readonly isOk: true } | { readonly isOk: false; readonly reason: unknown };

export function createReceiver(options: ReceiverParts, projectId: string, url: string): Receiver {
  const { storage, post, instanceId, metrics, logger, clock, timings, closing, givenUp } = options;
  /** By position. */
  const calls = new Map<number, Promise<void>>();
  const named = { projectId, host: hostOf(url) };
  let current: Webhook | undefined;
  let isGone = false;
  let isStopped = false;
  let isLooking = false;
  let looksAgain = false;
  let isFailing = false;

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

  function look(): void {
    looksAgain = true;
    if (isLooking) return;
    isLooking = true;
    void (async () => {
      while (looksAgain) {
        looksAgain = false;
        await lookOnce().catch((error: unknown) => {
          logger.warn({ ...named, error: describeError(error) }, "what a webhook is to be told could not be read");
        });
      }
      isLooking = false;
    })();
  }

  async function tell(event: WebhookEvent, secret: string): Promise<void> {
    const outcome = await send(event, secret);
    metrics.webhookCalled({ projectId, result: outcome.isOk ? "ok" : "error" });
    noteState(outcome);
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
        logger.error(named, "a webhook is gone (410): it is told nothing more until the start or a reload");
      }
      return { isOk: false, reason: `HTTP ${status}` };
    } catch (error) {
      return { isOk: false, reason: describeError(error) };
    }
  }

  /** One line when a receiver stops answering as it should, and one when it does again. */
  function noteState(outcome: Outcome): void {
    if (outcome.isOk !== isFailing) return;
    isFailing = !outcome.isOk;
    if (outcome.isOk) logger.info(named, "a webhook answers again");
    else logger.warn({ ...named, reason: outcome.reason }, "a webhook does not answer as it should: it is tried again");
  }

  /** Stores what has become of an event, and tries that until it is: as long as this instance lives, the event is its own. */
  async function stored(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        logger.warn({ ...named, error: describeError(error) }, "what a webhook was told could not be stored");
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
      await Promise.all(calls.values());
    },
  };
}

function dataOf(event: WebhookEvent): Readonly<Record<string, unknown>> {
  const { projectId, visitorId, threadId, messageId, toolCallId, fields, texts } = event;
  return { projectId, visitorId, threadId, messageId, toolCallId, ...fields, ...texts };
}
