import type { Feedback, FeedbackRequest } from "@nitka/protocol";
import { ChatError } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { RunMetrics } from "../run-metrics.ts";

/** What visitors think of answers. */
export interface FeedbackService {
  /**
   * Stores a visitor's rating of an answer. `null` removes it, and its reason.
   *
   * @throws ChatError `not_found` for an unknown message, `unprocessable` for one that is no answer
   */
  rate(owner: Owner, threadId: string, messageId: string, request: FeedbackRequest): Promise<void>;
}

export function createFeedbackService(
  { messages }: Pick<Storage, "messages">,
  metrics: Pick<RunMetrics, "answerRated">,
): FeedbackService {
  return {
    async rate(owner, threadId, messageId, request) {
      const rated = await messages.rate(owner, threadId, messageId, feedbackOf(request));
      if (rated.outcome === "missing") throw new ChatError("not_found", "There is no such message.");
      if (rated.outcome === "question") {
        throw new ChatError("unprocessable", "Only answers are rated: this message is a question.");
      }
      const { rating } = request;
      // A reason that follows its rating is no second rating.
      if (rating !== null && rating !== rated.before) metrics.answerRated({ projectId: owner.projectId, rating });
    },
  };
}

function feedbackOf({ rating, reason }: FeedbackRequest): Feedback | null {
  if (rating === null) return null;
  const text = reason?.trim() ?? "";
  return text === "" ? { rating } : { rating, reason: text };
}
