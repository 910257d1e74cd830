/** What a visitor does at random. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Message, Thread } from "@nitka/protocol";
import type { Drawn, StepName } from "./fault-places.ts";
import { judgeHistory, knownNow } from "./history.ts";
import { VERBS } from "./scripted-upstream.ts";
import { newToldThread } from "./told.ts";
import type { ToldQuestion, ToldThread } from "./told.ts";
import type { Visitor } from "./visitor.ts";

export interface StepContext {
  readonly note: (text: string) => void;
  readonly wrong: (text: string) => void;
  /** Creates a unique name. */
  readonly newTag: () => string;
  /** What the visitor does more often. */
  readonly drawn: Drawn;
}

type Step = (visitor: Visitor, thread: ToldThread, context: StepContext) => Promise<unknown>;

/** Each step, with its relative frequency. */
const steps: Readonly<Record<StepName, readonly [share: number, step: Step]>> = {
  open: [6, (visitor, _, context) => newThread(visitor, context)],
  ask: [34, askNew],
  "ask again": [8, askAgain],
  regenerate: [9, regenerate],
  edit: [8, edit],
  reload: [8, reload],
  join: [3, (visitor, thread) => visitor.join(thread)],
  cancel: [9, cancel],
  upload: [5, (visitor, thread) => visitor.upload(thread)],
  rename: [5, rename],
  archive: [4, archive],
  leave: [3, async (visitor) => visitor.leave()],
  claim: [4, (visitor, _, context) => claim(visitor, context)],
  erase: [3, (visitor, _, context) => erase(visitor, context)],
};

const wheel = Object.values(steps).flatMap(([share, step]) => Array.from({ length: share }, () => step));

/** How often the preferred step or verb replaces a random one. */
const DRAWN = 0.5;

export async function visitorStep(visitor: Visitor, context: StepContext): Promise<void> {
  const { random, told } = visitor;
  const open = [...told.threads.values()].filter(({ archived }) => archived === "no");
  const thread = open[random.below(open.length)];
  const any = wheel[random.below(wheel.length)] ?? askNew;
  const { steps: drawn } = context.drawn;
  const taken = drawn && random.chance(DRAWN) ? steps[random.pick(drawn)][1] : any;
  if (thread) await taken(visitor, thread, context);
  else await newThread(visitor, context);
}

async function newThread(visitor: Visitor, { note }: StepContext): Promise<void> {
  const { told } = visitor;
  // The config response sets the cookie before the first thread.
  if (told.threads.size === 0 && !visitor.isNamed) await visitor.json("/api/projects/default/config");
  const thread = await visitor.json<Thread>("threads", { method: "POST", json: {} });
  note(`${visitor.name} opens ${thread?.threadId ?? "nothing"}`);
  if (thread) told.threads.set(thread.threadId, newToldThread(thread.threadId));
}

function newQuestion(
  { random }: Visitor,
  thread: ToldThread,
  parentId: string | null,
  { newTag, drawn }: StepContext,
): ToldQuestion {
  const id = newTag();
  const any = random.pick(VERBS);
  const verb = drawn.verb !== undefined && random.chance(DRAWN) ? drawn.verb : any;
  const content = `${id} ${verb} ${1 + random.below(12)} ${random.pick([0, 5, 20])}`;
  const question = { id, parentId, content, files: thread.unsent, isAcknowledged: false, regenerations: 0 };
  thread.unsent = [];
  thread.questions.set(id, question);
  return question;
}

async function askNew(visitor: Visitor, thread: ToldThread, context: StepContext): Promise<void> {
  const messages = await visitor.json<readonly Message[]>(`threads/${thread.id}/messages`);
  const { random } = visitor;
  const head = messages?.at(-1)?.id ?? null;
  const question = newQuestion(visitor, thread, head, context);
  const asking = visitor.ask(thread, question);
  // The visitor presses twice, or in two pages.
  if (random.chance(0.2)) await Promise.all([asking, visitor.ask(thread, question)]);
  else await asking;
  // Most visitors read the answer before they continue.
  if (random.chance(0.6)) await Promise.race([visitor.idle(), sleep(1_500)]);
}

async function askAgain(visitor: Visitor, thread: ToldThread, context: StepContext): Promise<void> {
  const question = anyQuestion(visitor, thread);
  if (question) await visitor.ask(thread, question);
  else await askNew(visitor, thread, context);
}

async function regenerate(visitor: Visitor, thread: ToldThread): Promise<void> {
  const question = anyQuestion(visitor, thread);
  if (question) await visitor.ask(thread, question, "regenerate-message");
}

/** Asks something else in place of a question, which creates a branch. */
async function edit(visitor: Visitor, thread: ToldThread, context: StepContext): Promise<void> {
  const question = anyQuestion(visitor, thread);
  if (question) await visitor.ask(thread, newQuestion(visitor, thread, question.parentId, context));
  else await askNew(visitor, thread, context);
}

function anyQuestion({ random }: Visitor, { questions }: ToldThread): ToldQuestion | undefined {
  const asked = [...questions.values()];
  return asked[random.below(asked.length)];
}

/** A page is closed and opened again. Everything that it was told is still there. */
async function reload(visitor: Visitor, thread: ToldThread, { note, wrong }: StepContext): Promise<void> {
  visitor.leave();
  const known = knownNow(thread);
  await visitor.json("/api/projects/default/config");
  const listed = await visitor.json<readonly Thread[]>("threads");
  const messages = await visitor.json<readonly Message[]>(`threads/${thread.id}/messages`);
  note(`${visitor.name} reloads ${thread.id}: ${messages?.length ?? "no"} messages`);
  const isThere = listed?.some(({ threadId }) => threadId === thread.id) ?? true;
  if (visitor.told.unsettled === undefined) {
    if (!isThere) wrong(`${visitor.name} does not see ${thread.id} after a reload`);
    if (messages) judgeHistory(known, messages, (text) => wrong(`${visitor.name} reloads ${thread.id}: ${text}`));
  }
  const file = [...thread.files].at(-1);
  if (file !== undefined) await (await visitor.request(`attachments/${file}`))?.bytes().catch(() => undefined);
  await visitor.join(thread);
}

async function cancel(visitor: Visitor, thread: ToldThread, { note, wrong }: StepContext): Promise<void> {
  const status = await visitor.status(`threads/${thread.id}/run/cancel`, { method: "POST", json: {} });
  note(`${visitor.name} cancels in ${thread.id}: ${status ?? "lost"}`);
  if (status !== 200) return;
  const messages = await visitor.json<readonly Message[]>(`threads/${thread.id}/messages`);
  const running = messages?.find((message) => message.status?.type === "running");
  if (running) wrong(`${visitor.name} has cancelled, and the answer ${running.id} is running`);
}

async function rename(visitor: Visitor, thread: ToldThread, { note, newTag }: StepContext): Promise<void> {
  const title = `Имя ${newTag()}`;
  thread.titles.add(title);
  thread.title = undefined;
  const status = await visitor.status(`threads/${thread.id}/rename`, { method: "POST", json: { title } });
  if (status === 200) thread.title = title;
  note(`${visitor.name} renames ${thread.id} to ${title}: ${status ?? "lost"}`);
}

async function archive(visitor: Visitor, thread: ToldThread, { note }: StepContext): Promise<void> {
  thread.archived = "maybe";
  const status = await visitor.status(`threads/${thread.id}/archive`, { method: "POST", json: {} });
  if (status === 200) thread.archived = "yes";
  note(`${visitor.name} archives ${thread.id}: ${status ?? "lost"}`);
}

/** The visitor logs in at the host, which names them from now on. Their data moves with them. */
async function claim(visitor: Visitor, { note }: StepContext): Promise<void> {
  if (visitor.isNamed || visitor.told.threads.size === 0) return;
  // An erasure without a response is repeated first, because a claim would move what it should have erased.
  if (!(await visitor.settle())) return;
  visitor.logIn();
  visitor.told.unsettled = "claim";
  const isClaimed = await visitor.settle();
  note(`${visitor.name} claims: ${isClaimed ? "done" : "lost"}`);
}

async function erase(visitor: Visitor, { note }: StepContext): Promise<void> {
  if (!(await visitor.settle())) return;
  visitor.told.unsettled = "erase";
  visitor.leave();
  const isErased = await visitor.settle();
  note(`${visitor.name} erases itself: ${isErased ? "done" : "lost"}`);
}
