import { describeError } from "../describe-error.ts";
import { settledWithin } from "../waiting/settled-within.ts";
import { WEBHOOKS } from "../timings.ts";
import { hostOf } from "./webhook.ts";
import type { Webhook } from "./webhook.ts";
import { createReceiver } from "./receiver.ts";
import type { Receiver, ReceiverOptions } from "./receiver.ts";

export interface WebhookSenderOptions extends ReceiverOptions {
  readonly projects: ReadonlyMap<string, { readonly id: string; readonly webhooks: readonly Webhook[] }>;
  /** Whether other instances count this one among the living: they leave alone what it has claimed. */
  readonly heartbeat: { readonly isAlive: boolean };
}

export interface WebhookSender {
  /** Begins no call any more, waits a moment for those under way, and gives back what was not told. */
  stop(): Promise<void>;
}

/**
 * Tells webhooks what the storage has for them, as long as this instance is alive. Each has calls of its own, so that a slow
 * one holds up no other. Projects may be replaced: what is sent is signed as the webhook is now.
 */
export function startWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { storage, projects, heartbeat, instanceId, metrics, logger, timings } = options;
  const receivers = new Map<string, { readonly webhook: Webhook; readonly receiver: Receiver }>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isReleased = false;

  async function look(): Promise<void> {
    if (stopping.signal.aborted || !heartbeat.isAlive) return;
    const current = new Set<string>();
    for (const { id: projectId, webhooks } of projects.values()) {
      for (const webhook of webhooks) {
        const key = JSON.stringify([projectId, webhook.url]);
        current.add(key);
        const known = receivers.get(key);
        if (known?.webhook === webhook) continue;
        // One that is gone is tried anew when its project is read again.
        void known?.receiver.stop();
        receivers.set(key, {
          webhook,
          receiver: createReceiver({ ...options, closing: stopping.signal }, projectId, webhook),
        });
      }
    }
    for (const [key, { receiver }] of receivers) {
      if (current.has(key)) continue;
      void receiver.stop();
      receivers.delete(key);
    }
    if (receivers.size === 0) return;
    if (!isReleased) await storage.webhooks.release(instanceId);
    isReleased = true;
    for (const { receiver } of receivers.values()) receiver.look();
  }

  async function lookAndSchedule(): Promise<void> {
    try {
      await look();
    } catch (error) {
      logger.warn({ error: describeError(error) }, "what webhooks are to be told could not be read");
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => void lookAndSchedule(), heartbeat.isAlive ? WEBHOOKS.lookMs : WEBHOOKS.aliveMs);
    timer.unref();
  }

  /** What no instance could send: its webhook is in no project any more, or is gone. */
  async function expire(): Promise<void> {
    try {
      for (;;) {
        const expired = await storage.webhooks.giveUp(timings.webhookPatienceMs + WEBHOOKS.slackMs);
        if (expired.length === 0) return;
        for (const event of expired) {
          metrics.webhookFailed(event);
          const { url, ...fields } = event;
          logger.error(
            { ...fields, host: hostOf(url), reason: "nobody has sent it in time" },
            "a webhook was not told",
          );
        }
      }
    } catch (error) {
      logger.warn({ error: describeError(error) }, "what webhooks were not told could not be removed");
    }
  }

  void lookAndSchedule();
  void expire();
  const expiring = setInterval(() => void expire(), WEBHOOKS.expireMs).unref();

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      clearInterval(expiring);
      const stopped = [...receivers.values()].map(({ receiver }) => receiver.stop());
      await settledWithin(Promise.all(stopped), WEBHOOKS.closeMs);
      if (!isReleased) return;
      await storage.webhooks.release(instanceId).catch((error: unknown) => {
        logger.warn({ error: describeError(error) }, "webhooks' events could not be given back");
      });
    },
  };
}
