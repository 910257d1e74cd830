/** What a project's webhooks are told: pure. */
import type { Telling, WebhookNotice, WebhookType } from "../../storage/webhooks.ts";
import type { Webhook } from "./webhook.ts";

/**
 * What is stored for the webhooks that want to know of something; `undefined` where none does.
 *
 * @example webhookTelling(project.webhooks, "visitor.erased", new Date())
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

/** Those that want to know of it. */
export function webhooksFor(webhooks: readonly Webhook[] = [], type: WebhookType): readonly Webhook[] {
  return webhooks.filter(({ events }) => events === undefined || events.includes(type));
}

function noticeFor(webhook: Webhook, fields: WebhookNotice["fields"], texts: WebhookNotice["texts"]): WebhookNotice {
  return { url: webhook.url, ...(fields && { fields }), ...(texts && webhook.texts && { texts }) };
}
