import { Webhook } from "standardwebhooks";
import type { PostWebhook } from "../services/webhooks/delivery.ts";

/**
 * Signs according to Standard Webhooks, and sends. It does not follow redirects: nobody has configured the target of a
 * redirect, and it would receive the event.
 */
export const postWebhook: PostWebhook = async ({ url, secret, id, at, body, signal }) => {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      "user-agent": "Nitka",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, at, body),
    },
    body,
    signal,
  });
  // Only the status counts. An unread body would keep the connection open.
  await response.body?.cancel();
  return response.status;
};
