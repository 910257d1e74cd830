import type { Attachment, Message, Part } from "@nitka/protocol";
import { fileUrlOf, partsOf } from "@nitka/protocol/message";
import { attachmentIdIn } from "@nitka/protocol/routes";
import { branchTo } from "@nitka/protocol/branch";
import type { ModelRequest } from "../../model/model.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ActiveRun } from "../runs/active-run.ts";
import { asRunOwner } from "../runs/as-run-owner.ts";
import { readAttachment } from "../files/attachment-service.ts";
import { toolFilesOf } from "../../tool-files.ts";
import type { StoredQuestion } from "./store-question.ts";
import type { FileMemory } from "../files/file-memory.ts";
import { contextOf } from "./question-context.ts";
import type { QuestionContext } from "./question-context.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { readBranch } from "../threads/read-branch.ts";

/** The part of a request that only this run has. */
export interface RequestContext extends Pick<ModelRequest, "visitor"> {
  readonly context: QuestionContext;
}

/** Builds the request to a model. Reads no more of the question's branch than the model may be sent. */
export async function modelRequest(
  storage: Storage,
  run: Pick<ActiveRun, "runId" | "threadId" | "owner" | "signs">,
  project: ReadyProject,
  { question, tree, context, visitor }: StoredQuestion & RequestContext,
  memory: FileMemory,
): Promise<Omit<ModelRequest, "signal">> {
  const { limits, instructions, knowledge, config } = project;
  const branch = { threadId: run.threadId, tree, endId: question.parentId ?? null };
  const before = await asRunOwner(storage.runs, run, async (owner) => {
    const read = await readBranch(storage.messages, { ...branch, owner }, limits.contextChars);
    // Nothing found means that this owner no longer has the thread, or that no message precedes the question.
    return read.length > 0 && read;
  });
  const read = readAttachment(storage, run, memory);
  const history = modelHistory([...(before ?? []), question], question.id);
  return {
    history,
    attachments: await namedInParts(storage, run, history),
    contextChars: limits.contextChars,
    ...(instructions === undefined ? {} : { instructions }),
    ...(knowledge === undefined ? {} : { knowledge }),
    ...(typeof config.feedbackUrl === "string" && { feedbackUrl: config.feedbackUrl }),
    ...contextOf(context, project, run),
    expectFiles: memory.expect,
    readAttachment: (...asked) => run.signs.store(() => read(...asked)),
    idleMs: limits.upstreamIdleMs,
    firstByteMs: limits.firstByteMs,
    toolMs: limits.toolMs,
    visitor,
  };
}

/** The attachments whose addresses occur in parts of the visitor's messages and in outputs of tools, by address. */
async function namedInParts(
  storage: Storage,
  run: Parameters<typeof asRunOwner>[1],
  history: readonly Message[],
): Promise<ReadonlyMap<string, Attachment>> {
  const urls = history.flatMap((message) =>
    partsOf(message).flatMap((part) => {
      if (part.type === "tool-call") return toolFilesOf(part.result).map(({ url }) => url);
      return message.role === "user" ? (fileUrlOf(part) ?? []) : [];
    }),
  );
  const ids = urls.flatMap((url) => attachmentIdIn(url) ?? []);
  if (ids.length === 0) return new Map();
  const found = await asRunOwner(storage.runs, run, async (owner) => {
    const attachments = await storage.attachments.findAll(owner, ids);
    return attachments.length > 0 && attachments;
  });
  return new Map((found ?? []).map(({ attachment }) => [attachment.url, attachment]));
}

/**
 * The branch that ends with a question, without messages and parts that the model cannot use. The model decides how
 * much of it fits.
 *
 * @param messages the thread's messages as a tree, including the question
 */
export function modelHistory(messages: readonly Message[], questionId: string): readonly Message[] {
  return branchTo(messages, questionId).flatMap(({ message }) => forModel(message) ?? []);
}

/**
 * A message without tool calls that have no result, which providers refuse, and without parts that are only for the
 * page. A denied call stays: `answerTurns` gives it a result that says so.
 *
 * @returns `undefined` for a system message, and for an answer that says nothing
 */
function forModel(message: Message): Message | undefined {
  if (message.role === "system") return undefined;
  if (message.role === "user") return message;
  const parts = partsOf(message).filter(isForModel);
  return saysSomething(parts) ? { ...message, content: parts } : undefined;
}

function isForModel(part: Part): boolean {
  return part.type !== "data" && (part.type !== "tool-call" || part.result !== undefined || part.approval === "denied");
}

/**
 * Whether an answer has content. Reasoning and blank texts do not count. A tool call with a result counts, even if the
 * answer broke off after it.
 */
export function saysSomething(parts: readonly Part[]): boolean {
  return parts.some((part) => part.type !== "reasoning" && !(part.type === "text" && part.text.trim() === ""));
}
