import { describeError } from "../describe-error.ts";
import { within } from "../waiting/within.ts";
import { WEBHOOKS } from "../timings.ts";
import { createGivenUpLog } from "./given-up-log.ts";
import type { Webhook } from "./webhook.ts";
import { createDelivery } from "./delivery.ts";
import type { Delivery, DeliveryOptions } from "./delivery.ts";

export interface WebhookSenderOptions extends DeliveryOptions {
  readonly projects: ReadonlyMap<string, { readonly id: string; readonly webhooks: readonly Webhook[] }>;
  /** Whether other instances consider this one alive: they then leave its claims alone. */
  readonly heartbeat: { readonly isAlive: boolean };
}

export interface WebhookSender {
  /** Begins no more calls, waits a moment for calls in progress, and releases the claims on the other events. */
  stop(): Promise<void>;
}

/**
 * Sends the pending events of the storage to webhooks, as long as this instance is alive. Each webhook has calls of its
 * own, so that a slow one does not delay the others. Projects may be replaced: a call is signed with the webhook's
 * current secret.
 */
export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { storage, projects, heartbeat, instanceId, metrics, logger, timings } = options;
  // A delivery stays when its webhook is removed: it still owns its calls in progress if the webhook comes back.
  const deliveries = new Map<string, Delivery>();
  const stopping = new AbortController();
  const givenUp = createGivenUpLog(logger);
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    if (stopping.signal.aborted || !heartbeat.isAlive) return;
    const current = new Map<string, readonly [projectId: string, webhook: Webhook]>();
    for (const { id, webhooks } of projects.values()) {
      for (const webhook of webhooks) current.set(JSON.stringify([id, webhook.url]), [id, webhook]);
    }
    for (const [key, [projectId, { url }]] of current) {
      if (deliveries.has(key)) continue;
      deliveries.set(key, createDelivery({ ...options, closing: stopping.signal, givenUp }, projectId, url));
    }
    for (const [key, delivery] of deliveries) {
      delivery.use(current.get(key)?.[1]);
      delivery.look();
    }
  }

  function lookAndSchedule(): void {
    look();
    if (stopping.signal.aborted) return;
    timer = setTimeout(lookAndSchedule, heartbeat.isAlive ? WEBHOOKS.lookMs : WEBHOOKS.aliveMs);
    timer.unref();
  }

  /**
   * Abandons old events that no instance could send, because their webhook was removed from its project or answered
   * 410.
   */
  async function expire(): Promise<void> {
    try {
      for (;;) {
        const expired = await storage.webhooks.giveUp(timings.webhookPatienceMs + WEBHOOKS.slackMs);
        if (expired.length === 0) return;
        for (const event of expired) {
          metrics.webhookFailed(event);
          givenUp.add(event, "no instance sent it in time", { type: event.type });
        }
      }
    } catch (error) {
      logger.warn({ error: describeError(error) }, "old events for webhooks could not be given up");
    }
  }

  lookAndSchedule();
  void expire();
  const expiring = setInterval(() => void expire(), WEBHOOKS.expireMs).unref();

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      clearInterval(expiring);
      const stopped = [...deliveries.values()].map((delivery) => delivery.stop());
      await within(Promise.all(stopped), WEBHOOKS.closeMs);
      givenUp.stop();
      if (deliveries.size === 0) return;
      await storage.webhooks.release(instanceId).catch((error: unknown) => {
        logger.warn({ error: describeError(error) }, "claimed events for webhooks could not be released");
      });
    },
  };
}
