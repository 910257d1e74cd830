import type { Feedback, FeedbackRequest } from "@nitka/protocol";
import { notFound, unprocessable } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import type { RunMetrics } from "../run-metrics.ts";
import { webhookTelling } from "../webhooks/telling.ts";
import { unansweredEntry, unansweredReason } from "./unanswered-entry.ts";

/** Visitors' ratings of answers. */
export interface FeedbackService {
  /**
   * Stores a visitor's rating of an answer. `null` removes the rating and its reason.
   *
   * @throws ChatError `not_found` for an unknown message, `unprocessable` for a message that is not an answer
   */
  rate(owner: Owner, threadId: string, messageId: string, request: FeedbackRequest): Promise<void>;
}

export interface FeedbackOptions {
  readonly storage: Pick<Storage, "messages" | "unanswered">;
  readonly metrics: Pick<RunMetrics, "answerRated">;
  readonly clock: () => Date;
  readonly projects: ReadonlyMap<string, Pick<ReadyProject, "knowledge" | "webhooks">>;
}

export function createFeedbackService({ storage, metrics, clock, projects }: FeedbackOptions): FeedbackService {
  const { messages, unanswered } = storage;

  /**
   * Adds an answer that the visitor dislikes to the operators' list of unanswered questions, until the visitor changes
   * the rating.
   */
  async function keep(owner: Owner, threadId: string, messageId: string, feedback: Feedback | null): Promise<void> {
    const isDisliked = feedback?.rating === "down";
    if (!isDisliked && !(await unanswered.withdraw(owner, threadId, messageId))) return;
    const answer = await messages.find(owner, threadId, messageId);
    const question = answer && (await messages.find(owner, threadId, answer.parentId ?? ""));
    const reason = isDisliked ? "disliked" : answer && unansweredReason(answer);
    if (!question || reason === undefined) return;
    const at = clock().toISOString();
    await unanswered.keep(owner, unansweredEntry({ threadId, question, answer, at }, reason));
  }

  return {
    async rate(owner, threadId, messageId, request) {
      const feedback = feedbackOf(request);
      const project = projects.get(owner.projectId);
      const { rating } = request;
      const told = { fields: { rating }, texts: { reason: feedback?.reason } };
      const telling = webhookTelling(project?.webhooks, "message.rated", clock(), told);
      const rated = await messages.rate(owner, threadId, messageId, feedback, telling);
      if (rated.outcome === "missing") throw notFound("message");
      if (rated.outcome === "question") {
        throw unprocessable("Only answers are rated: this message is a question.");
      }
      if (project?.knowledge) await keep(owner, threadId, messageId, feedback);
      // A reason that follows its rating is not a second rating.
      if (rating !== null && rating !== rated.before) metrics.answerRated({ projectId: owner.projectId, rating });
    },
  };
}

function feedbackOf({ rating, reason }: FeedbackRequest): Feedback | null {
  if (rating === null) return null;
  const text = reason?.trim() ?? "";
  return text === "" ? { rating } : { rating, reason: text };
}
