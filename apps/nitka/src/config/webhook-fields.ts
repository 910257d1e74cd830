/** The fields of webhooks. */
import { isWebhookSecret, isWebhookUrl, WEBHOOK_SECRET, WEBHOOK_TYPES, WEBHOOK_URL } from "@nitka/server";
import { z } from "zod";

const webhook = z.strictObject({
  url: z.string().refine(isWebhookUrl, WEBHOOK_URL),
  secret: z.string().refine(isWebhookSecret, WEBHOOK_SECRET),
  events: z.array(z.enum(WEBHOOK_TYPES)).exactOptional(),
  texts: z.boolean().exactOptional(),
});

export const webhooks = z
  .array(webhook)
  .refine((all) => new Set(all.map(({ url }) => url)).size === all.length, "each address once");
