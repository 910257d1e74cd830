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

/** What belongs to this run alone. */
export interface AskedNow extends Pick<ModelRequest, "visitor"> {
  readonly context: QuestionContext;
}

/** What a model is sent. Of the question's branch only as much is read as the model may be sent. */
export async function modelRequest(
  storage: Storage,
  run: Pick<ActiveRun, "runId" | "threadId" | "owner" | "signs">,
  project: ReadyProject,
  { question, tree, context, visitor }: StoredQuestion & AskedNow,
  memory: FileMemory,
): Promise<Omit<ModelRequest, "signal">> {
  const { limits, instructions, knowledge, config } = project;
  const branch = { threadId: run.threadId, tree, endId: question.parentId ?? null };
  const before = await asRunOwner(storage.runs, run, async (owner) => {
    const read = await readBranch(storage.messages, { ...branch, owner }, limits.contextChars);
    // Every thread with a message before the question has it for its owner.
    return read.length > 0 ? read : undefined;
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

/** The attachments that parts of the visitor's messages and outputs of tools name, by their addresses. */
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
    return attachments.length > 0 ? attachments : undefined;
  });
  return new Map((found ?? []).map(({ attachment }) => [attachment.url, attachment]));
}

/**
 * The branch that ends in a question, without messages and parts that the model cannot use. How much of it fits is for the
 * model to decide.
 *
 * @param messages the thread's tree, the question in it
 */
export function modelHistory(messages: readonly Message[], questionId: string): readonly Message[] {
  return branchTo(messages, questionId).flatMap(({ message }) => forModel(message) ?? []);
}

/**
 * A message without tool calls that have no result, which providers refuse, and without what is for the page alone. A denied
 * call stays: `answerTurns` gives it a result that says so.
 *
 * @returns `undefined` for a system message, and for an answer that says nothing: blank, or cut short before its first text
 */
function forModel(message: Message): Message | undefined {
  if (message.role === "system") return undefined;
  if (message.role === "user") return message;
  const parts = partsOf(message).filter(isForModel);
  const cutShort = message.status?.type === "incomplete";
  const saysSomething = parts.some((part) => (cutShort ? isText(part) : part.type !== "reasoning" && !isBlank(part)));
  return saysSomething ? { ...message, content: parts } : undefined;
}

function isForModel(part: Part): boolean {
  return part.type !== "data" && (part.type !== "tool-call" || part.result !== undefined || part.approval === "denied");
}

function isText(part: Part): boolean {
  return part.type === "text" && !isBlank(part);
}

function isBlank(part: Part): boolean {
  return part.type === "text" && part.text.trim() === "";
}
