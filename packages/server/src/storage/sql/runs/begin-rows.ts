import type { Message } from "@nitka/protocol";
import type { ExpectedCost } from "../../storage.ts";
import type { Asked, Begun } from "./begin-statements.ts";
import { columnsOfMessage } from "../rows/message-row.ts";

/** Where a question begins its run. */
export interface Place {
  readonly at: string;
  /** Whether the question is stored already. */
  readonly isKnown: boolean;
  /** The position of the first new message. */
  readonly position: number;
  readonly cost: ExpectedCost | undefined;
}

/** The rows of a run that begins, of its empty answer, and of its question if that is new. */
export function rowsOfBegin({ owner, run, question }: Asked, { at, isKnown, position, cost }: Place): Begun {
  const { threadId, questionId, answerId } = run;
  const answer: Message = {
    id: answerId,
    role: "assistant",
    content: [],
    parentId: questionId,
    createdAt: at,
    status: { type: "running" },
  };
  const rowAt = (message: Message, place: number) => ({
    thread_id: threadId,
    position: place,
    ...columnsOfMessage(message),
  });
  const answerPosition = isKnown ? position : position + 1;
  return {
    run: {
      run_id: run.runId,
      thread_id: threadId,
      project_id: owner.projectId,
      visitor_id: owner.visitorId,
      question_id: questionId,
      answer_id: answerId,
      instance_id: run.instanceId,
      status: "running",
      position: answerPosition,
      started_at: at,
      ended_at: null,
      checkpoint_seq: 0,
      cancel_requested: 0,
      model_id: cost?.modelId ?? null,
      reserved_tokens: 0,
      input_tokens: null,
      cached_tokens: null,
      output_tokens: null,
      first_token_ms: null,
      rejoins: null,
      reason: null,
      rating: null,
    },
    question: isKnown ? undefined : rowAt({ createdAt: at, ...question }, position),
    answer: rowAt(answer, answerPosition),
    cost,
  };
}
