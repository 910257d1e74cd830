import type { FeedbackService } from "../services/threads/feedback-service.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { feedbackRequest } from "./wire-schemas.ts";

export function feedbackOperations(feedback: FeedbackService): readonly AnyOperation[] {
  return [
    operation({
      name: "rateAnswer",
      method: "POST",
      path: "/api/debug/threads/:id/messages/:messageId/feedback",
      summary: "Stores what the visitor thinks of an answer.",
      takes: "json",
      body: feedbackRequest,
      responses: { 204: { description: "stored" } },
      async handle({ owner, id, messageId, body: { rating, reason } }) {
        await feedback.rate(owner, id, messageId, reason === undefined ? { rating } : { rating, reason });
        return { type: "empty", status: 204 };
      },
    }),
  ];
}
