import type { Message, RunTrigger } from "@nitka/protocol";
import { unprocessable } from "../../chat-error.ts";
import type { Model } from "../../model/model.ts";
import type { BeginRun, MessageNode, Owner, Storage, StoredThread } from "../../storage/storage.ts";
import type { TokenBudget } from "../../storage/usage.ts";
import type { RunTelling } from "../../storage/webhooks.ts";
import { runTelling } from "../projects/run-telling.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { estimateTokens } from "../projects/estimate-tokens.ts";
import type { NewId } from "../new-id.ts";
import { contextChars, contextOf } from "./question-context.ts";
import type { QuestionContext } from "./question-context.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { placeQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";
import { threadFiles } from "../files/thread-files.ts";

/** A question that is stored with its run. */
export interface StoredQuestion {
  readonly outcome: "begun";
  readonly question: Message;
  /** The thread's messages before the question. */
  readonly tree: readonly MessageNode[];
  readonly createdAt: string;
  /** The webhooks to notify of the run's end. */
  readonly telling: RunTelling | undefined;
}

/**
 * Places a checked question in the thread, and stores it with its run.
 *
 * @returns the outcome of `Storage["runs"]["begin"]`; for an outcome other than `begun` see `joinOrRefuse`
 */
export async function storeQuestion(
  storage: Storage,
  { record, owner }: Pick<ActiveRun, "record" | "owner">,
  project: ReadyProject,
  asked: {
    readonly thread: StoredThread;
    readonly question: AskedQuestion;
    readonly trigger: RunTrigger;
    readonly model: Model;
    readonly context: QuestionContext;
  },
  options: {
    readonly clock: () => Date;
    readonly newId: NewId;
    readonly take: (bytes: number) => void;
    /** See `NearBudget`. */
    readonly budget: TokenBudget | undefined;
  },
): Promise<StoredQuestion | Exclude<BeginRun, { readonly outcome: "begun" }>> {
  const { trigger, model, context } = asked;
  const at = options.clock().toISOString();
  const { limits, instructions } = project;
  const { threadId } = record;
  const regenerate = trigger === "regenerate-message";
  // A thread without a head has no messages yet.
  const tree = asked.thread.headId === undefined ? [] : await storage.messages.tree(owner, threadId);
  // Another request may have stored the same question, with its files, since `standing` was read. It is then not placed
  // again, and `begin` returns `known`.
  const isStored = tree.some(({ id, role }) => id === asked.question.id && role === "user");
  const question =
    regenerate || isStored
      ? await readQuestion(storage, owner, threadId, asked.question.id)
      : await placeQuestion(asked.question, tree, threadFiles(storage, { owner, threadId }, project, options), at);
  const telling = runTelling(project, question);
  const begun = await storage.runs.begin(owner, record, question, {
    regenerate,
    at,
    limit: limits.runsAtOnce,
    cost: {
      modelId: model.id,
      inputTokens: estimateTokens(
        [question],
        instructions,
        contextChars(contextOf(context, project, { owner, threadId })),
      ),
    },
    budget: options.budget,
    telling,
  });
  return begun.outcome === "begun" ? { outcome: "begun", question, tree, createdAt: at, telling } : begun;
}

async function readQuestion(storage: Storage, owner: Owner, threadId: string, questionId: string): Promise<Message> {
  const question = await storage.messages.find(owner, threadId, questionId);
  if (question?.role === "user") return question;
  throw unprocessable("This thread has no such question.");
}
