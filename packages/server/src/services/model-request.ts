import type { Attachment, Message } from "@nitka/protocol";
import { fileUrlOf, partsOf } from "@nitka/protocol/message";
import { attachmentIdIn } from "@nitka/protocol/routes";
import type { ModelRequest } from "../model/model.ts";
import type { Storage } from "../storage/storage.ts";
import type { ActiveRun } from "./active-run.ts";
import { asOwner } from "./as-owner.ts";
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
  const history = historyOf([...before, question], question.id);
  return {
    history,
    attachments: await namedInParts(storage, { runId: run.runId, owner }, history),
    contextChars: limits.contextChars,
    ...(instructions === undefined ? {} : { instructions }),
    readAttachment: readAttachment(storage, { runId: run.runId, owner }),
    idleMs: limits.upstreamIdleMs,
  };
}

/** The attachments that parts of the visitor's messages name, by the addresses that stand there. */
async function namedInParts(
  storage: Storage,
  run: Parameters<typeof asOwner>[1],
  history: readonly Message[],
): Promise<ReadonlyMap<string, Attachment>> {
  const asked = history.filter(({ role }) => role === "user");
  const ids = asked.flatMap((message) =>
    partsOf(message).flatMap((part) => attachmentIdIn(fileUrlOf(part) ?? "") ?? []),
  );
  if (ids.length === 0) return new Map();
  const found = await asOwner(storage.runs, run, async (owner) => {
    const attachments = await storage.attachments.findAll(owner, ids);
    return attachments.length > 0 ? attachments : undefined;
  });
  return new Map((found ?? []).map(({ attachment }) => [attachment.url, attachment]));
}
