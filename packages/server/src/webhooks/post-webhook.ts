import { Webhook } from "standardwebhooks";
import type { PostWebhook } from "../services/webhooks/receiver.ts";

/**
 * Signs as Standard Webhooks has it, and sends. A redirect is not followed: its target was named by nobody, and would get what
 * is sent.
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
  // Only the status counts. Unread, the body would keep the connection.
  await response.body?.cancel();
  return response.status;
};
