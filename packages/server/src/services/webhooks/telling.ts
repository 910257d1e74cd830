/** What a project's webhooks are told: pure. */
import type { ErasureTelling, Telling, WebhookNotice, WebhookType } from "../../storage/webhooks.ts";
import { defaultTimings } from "../timings.ts";
import type { Webhook } from "./webhook.ts";

/**
 * What is stored for the webhooks that want to know of something; `undefined` where none does.
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

/** What is stored when a visitor is erased. */
export function erasureTelling(
  webhooks: readonly Webhook[] | undefined,
  at: Date,
  callMs = defaultTimings.webhookMs,
): ErasureTelling | undefined {
  const telling = webhookTelling(webhooks, "visitor.erased", at);
  return telling && { ...telling, callMs };
}

/** Those that want to know of it. */
export function webhooksFor(webhooks: readonly Webhook[] = [], type: WebhookType): readonly Webhook[] {
  return webhooks.filter(({ events }) => events === undefined || events.includes(type));
}

function noticeFor(webhook: Webhook, fields: WebhookNotice["fields"], texts: WebhookNotice["texts"]): WebhookNotice {
  return { url: webhook.url, ...(fields && { fields }), ...(texts && webhook.texts && { texts }) };
}
