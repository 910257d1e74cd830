/** What must be true of all stored data when a life is over, whatever went wrong in it. */
import { partsOf, textOf } from "@nitka/protocol/message";
import type { Message, Thread } from "@nitka/protocol";
import type { Storage } from "@nitka/server";
import { answersTo, judgeHistory, wordsOf } from "./history.ts";
import type { Attempt } from "./scripted-upstream.ts";
import type { Told, ToldAnswer, ToldQuestion, ToldThread } from "./told.ts";
import type { Visitor } from "./visitor.ts";

export interface Evidence {
  readonly attempts: readonly Attempt[];
  /** The number of executions of the server's tools, by the tool's name and the call's id. */
  readonly executed: ReadonlyMap<string, number>;
  readonly truth: Pick<Storage, "desk">;
  /** Whether an answer may have been interrupted: an instance was lost, or the response to a run's begin. */
  readonly mayInterrupt: boolean;
  /** Whether the storage may have refused the content of an answer. */
  readonly mayDrop: boolean;
  /** Whether a thread with an answer may have no title. */
  readonly mayLackTitle: boolean;
  /** Whether the model or the server may have given this title. */
  readonly isOwnTitle: (title: string) => boolean;
  readonly wrong: (text: string) => void;
}

type Wrong = (text: string) => void;

/** Checks what the visitors have now. */
export async function judge(visitors: readonly Visitor[], evidence: Evidence): Promise<void> {
  for (const visitor of visitors) {
    const wrong = (text: string) => evidence.wrong(`${visitor.name}: ${text}`);
    await judgeThreads(visitor, evidence, wrong);
    await judgeGone(visitor, evidence, wrong);
    for (const other of visitors) if (other !== visitor) await judgeOthers(visitor, other, wrong);
    for (const [toolCallId, count] of visitor.executed) {
      if (count > 1) wrong(`its pages have run ${toolCallId} ${count} times`);
    }
  }
  const allowed = new Set(visitors.flatMap((visitor) => [...visitor.allowed]));
  const denied = new Set(visitors.flatMap((visitor) => [...visitor.denied]));
  for (const [call, count] of evidence.executed) {
    if (count > 1) evidence.wrong(`the call ${call} was executed ${count} times`);
    const [tool, id = ""] = call.split(" ");
    if (tool !== "pay") continue;
    if (!allowed.has(id)) evidence.wrong(`the call ${call} was executed, and nobody has allowed it`);
    if (denied.has(id)) evidence.wrong(`the call ${call} was executed, and was denied`);
  }
}

async function judgeThreads(visitor: Visitor, evidence: Evidence, wrong: Wrong): Promise<void> {
  const { told } = visitor;
  const listed = await visitor.json<readonly Thread[]>("threads");
  if (!listed) return wrong("gets no list");
  judgeList(listed, told, evidence, wrong);
  for (const thread of told.threads.values()) {
    const shown = listed.find(({ threadId }) => threadId === thread.id);
    if (thread.archived === "no" && !shown) wrong(`${thread.id} is not in the list`);
    if (thread.archived === "yes" && shown) wrong(`${thread.id} is archived and in the list`);
    const response = await visitor.request(`threads/${thread.id}/messages`);
    if (response?.status !== (shown ? 200 : 404)) {
      wrong(`${thread.id} is ${shown ? "" : "not "}in the list, and is read with ${response?.status}`);
    }
    for (const id of thread.files) {
      const status = await visitor.status(`attachments/${id}`, {});
      if (status !== (shown ? 200 : 404)) wrong(`the file ${id} of ${thread.id} is read with ${status}`);
    }
    if (response?.status !== 200 || !shown) continue;
    const messages = (await response.json()) as readonly Message[];
    judgeThread(thread, messages, visitor, evidence, (text) => wrong(`${thread.id}: ${text}`));
    const isAnswered = messages.some(({ status }) => status?.type === "complete");
    if (isAnswered && !shown.title && !evidence.mayLackTitle) wrong(`${thread.id} has an answer and no title`);
    const newest =
      messages
        .map(({ createdAt = "" }) => createdAt)
        .toSorted()
        .at(-1) ?? "";
    if (shown.updatedAt < newest)
      wrong(`${thread.id} was changed at ${shown.updatedAt}, and has a message of ${newest}`);
  }
}

function judgeList(listed: readonly Thread[], told: Told, evidence: Evidence, wrong: Wrong): void {
  for (const [index, { threadId, title, updatedAt }] of listed.entries()) {
    const before = listed[index - 1];
    if (before && before.updatedAt < updatedAt) wrong(`${threadId} is listed after an older thread`);
    // A thread whose creation got no response is not known to its visitor.
    const thread = told.threads.get(threadId);
    if (thread?.title !== undefined && title !== thread.title) wrong(`${threadId} has the title ${title}`);
    const isKnown = !thread || !title || thread.titles.has(title) || evidence.isOwnTitle(title);
    if (!isKnown) wrong(`${threadId} has the title ${title}, which nobody gave`);
  }
}

function judgeThread(
  thread: ToldThread,
  messages: readonly Message[],
  { outputs }: Pick<Visitor, "outputs">,
  evidence: Evidence,
  wrong: Wrong,
): void {
  judgeHistory(thread, messages, wrong);
  const answers = new Map(messages.filter(({ role }) => role === "assistant").map((answer) => [answer.id, answer]));
  for (const answer of answers.values()) {
    judgeAnswer(answer, evidence, wrong);
    judgeCalls(answer, outputs, wrong);
  }
  for (const question of thread.questions.values()) judgeQuestion(question, messages, evidence, wrong);
  for (const read of thread.answers) {
    const stored = answers.get(read.id);
    if (stored && read.end !== undefined) judgeEnd(read, stored, evidence, wrong);
  }
}

function judgeQuestion({ id }: ToldQuestion, messages: readonly Message[], { attempts }: Evidence, wrong: Wrong): void {
  if (!messages.some((message) => message.id === id)) return;
  const count = answersTo(id, messages);
  const asked = attempts.filter(({ questionId }) => questionId === id).length;
  if (count === 0) wrong(`the question ${id} has no answer`);
  if (count < asked) wrong(`the model was asked ${id} ${asked} times, and there are ${count} answers`);
}

/** An answer that broke off is stored as it was read, unless another instance has ended it instead of its own. */
function judgeEnd({ id, end, text }: ToldAnswer, stored: Message, evidence: Evidence, wrong: Wrong): void {
  if (end === "finish" || evidence.mayInterrupt) return;
  const reason = stored.status?.type === "incomplete" ? stored.status.reason : stored.status?.type;
  if ((end === "abort") !== (reason === "cancelled"))
    wrong(`the answer ${id} was read to its ${end}, and is ${reason}`);
  if (!evidence.mayDrop && wordsOf(textOf(stored)) !== wordsOf(text))
    wrong(`the answer ${id} was read as «${text}» up to its ${end}, and is «${textOf(stored)}»`);
}

function judgeAnswer(answer: Message, { attempts, mayInterrupt, mayDrop }: Evidence, wrong: Wrong): void {
  const { id, status, parentId } = answer;
  const text = wordsOf(textOf(answer));
  const of = attempts.filter(({ questionId }) => questionId === parentId);
  const named = `the answer ${id} of ${parentId}`;
  if (status === undefined || status.type === "running") return wrong(`${named} is still running`);
  if (status.type === "complete") {
    const isTrue = of.some((attempt) => attempt.isWhole && wordsOf(attempt.text) === text);
    if (!isTrue) wrong(`${named} is complete with «${text}», the model wrote ${JSON.stringify(of)}`);
    return;
  }
  const isBeginning = text === "" || of.some((attempt) => wordsOf(attempt.text).startsWith(text));
  if (!isBeginning) wrong(`${named} is «${text}», the model wrote ${JSON.stringify(of)}`);
  if (status.reason === "interrupted" && !mayInterrupt) wrong(`${named} was interrupted, and no instance was lost`);
  if (status.code === "not_kept" && !mayDrop) wrong(`${named} was not kept`);
}

/** In a complete answer each tool call is over, with the page's output if that was confirmed. */
function judgeCalls(answer: Message, outputs: Visitor["outputs"], wrong: Wrong): void {
  if (answer.status?.type !== "complete") return;
  for (const part of partsOf(answer)) {
    if (part.type !== "tool-call") continue;
    const { toolCallId, result, approval } = part;
    if (result === undefined && approval !== "denied") wrong(`the call ${toolCallId} has no result`);
    const output = outputs.get(toolCallId);
    if (output !== undefined && !JSON.stringify(result ?? null).includes(output))
      wrong(`the call ${toolCallId} was answered with ${output}, and has the result ${JSON.stringify(result)}`);
  }
}

/** Nothing is left of a visitor who was erased or has become another. */
async function judgeGone(visitor: Visitor, { truth }: Evidence, wrong: Wrong): Promise<void> {
  for (const gone of visitor.erased) {
    for (const { id } of gone.threads.values()) {
      const status = await visitor.status(`threads/${id}/messages`, {});
      const owner = await truth.desk.ownerOf(id);
      if (status !== 404 || owner) wrong(`${id} was erased, is read with ${status} and belongs to ${owner?.visitorId}`);
    }
  }
  for (const cookie of visitor.formerCookies) {
    const left = (await visitor.asFormer(cookie, "threads")) as readonly Thread[];
    // A request without a response may create a thread later, which nobody knows.
    const known = left.filter(({ threadId }) => visitor.told.threads.has(threadId));
    if (known.length > 0) wrong(`its former visitor has ${JSON.stringify(known)}`);
  }
}

async function judgeOthers(visitor: Visitor, other: Visitor, wrong: Wrong): Promise<void> {
  for (const { id, files } of other.told.threads.values()) {
    const status = await visitor.status(`threads/${id}/messages`, {});
    if (status !== 404) wrong(`reads ${id} of ${other.name} with ${status}`);
    for (const file of files) {
      const ofFile = await visitor.status(`attachments/${file}`, {});
      if (ofFile !== 404) wrong(`reads the file ${file} of ${other.name} with ${ofFile}`);
    }
  }
}
