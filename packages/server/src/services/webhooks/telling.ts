/** Builds the events for a project's webhooks. Pure functions. */
import type { ErasureTelling, Telling, WebhookNotice, WebhookType } from "../../storage/webhooks.ts";
import { defaultTimings } from "../timings.ts";
import type { Webhook } from "./webhook.ts";

/**
 * The event to store for the webhooks that receive this type; `undefined` when none does.
 *
 * @example webhookTelling(project.webhooks, "thread.created", new Date())
 */
export function webhookTelling(
  webhooks: readonly Webhook[] | undefined,
  type: WebhookType,
  at: Date,
  { fields, texts }: Omit<WebhookNotice, "url"> = {},
): Telling | undefined {
  const notices = webhooksFor(webhooks, type).map((webhook) => noticeFor(webhook, fields, texts));
  return notices.length === 0 ? undefined : { at: at.toISOString(), notices };
}

/** The event to store when a visitor is erased. */
export function erasureTelling(
  webhooks: readonly Webhook[] | undefined,
  at: Date,
  callMs = defaultTimings.webhookMs,
): ErasureTelling | undefined {
  const telling = webhookTelling(webhooks, "visitor.erased", at);
  return telling && { ...telling, callMs };
}

/** The webhooks that receive this type of event. */
export function webhooksFor(webhooks: readonly Webhook[] = [], type: WebhookType): readonly Webhook[] {
  return webhooks.filter(({ events }) => events === undefined || events.includes(type));
}

function noticeFor(webhook: Webhook, fields: WebhookNotice["fields"], texts: WebhookNotice["texts"]): WebhookNotice {
  return { url: webhook.url, ...(fields && { fields }), ...(texts && webhook.texts && { texts }) };
}
