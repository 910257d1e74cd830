import type { ModelRequest } from "../model/model.ts";
import type { Storage } from "../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import { readAttachment } from "./attachment-service.ts";
import type { BegunQuestion } from "./begin-question.ts";
import { historyOf } from "./history.ts";
import type { ReadyProject } from "./projects.ts";
import { readBranch } from "./read-branch.ts";

/** What a model is asked: of the question's branch, only what it may be sent is read. */
export async function modelRequest(
  storage: Storage,
  { run, owner }: Pick<ActiveRun, "run" | "owner">,
  { limits, instructions }: ReadyProject,
  { question, tree }: BegunQuestion,
): Promise<Omit<ModelRequest, "signal">> {
  const branch = { owner, threadId: run.threadId, tree, endId: question.parentId ?? null };
  const before = await readBranch(storage.messages, branch, limits.contextChars);
  return {
    history: historyOf([...before, question], question.id),
    contextChars: limits.contextChars,
    ...(instructions === undefined ? {} : { instructions }),
    readAttachment: readAttachment(storage, { runId: run.runId, owner }),
    idleMs: limits.upstreamIdleMs,
  };
}
