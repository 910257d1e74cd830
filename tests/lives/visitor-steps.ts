/** What a visitor does at random. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Message, Thread } from "@nitka/protocol";
import { VERBS } from "./scripted-upstream.ts";
import type { ToldQuestion, ToldThread } from "./told.ts";
import type { Visitor } from "./visitor.ts";

interface StepContext {
  readonly note: (text: string) => void;
  /** Makes a name that is nobody else's. */
  readonly newTag: () => string;
}

export async function visitorStep(visitor: Visitor, context: StepContext): Promise<void> {
  const { random, told } = visitor;
  const open = [...told.threads.values()].filter(({ archived }) => archived === "no");
  const thread = open[random.below(open.length)];
  const what = random.below(100);
  if (!thread || what < 6) return newThread(visitor, context);
  if (what < 45) return askNew(visitor, thread, context);
  if (what < 53) return askAgain(visitor, thread, context);
  if (what < 62) return regenerate(visitor, thread);
  if (what < 70) return edit(visitor, thread, context);
  if (what < 76) return void (await visitor.join(thread));
  if (what < 84) return cancel(visitor, thread, context);
  if (what < 89) return rename(visitor, thread, context);
  if (what < 93) return archive(visitor, thread, context);
  if (what < 96) return visitor.leave();
  if (what < 98) return claim(visitor, context);
  return erase(visitor, context);
}

async function newThread(visitor: Visitor, { note }: StepContext): Promise<void> {
  const { told } = visitor;
  // The config gives the cookie before the first thread.
  if (told.threads.size === 0 && !visitor.isNamed) await visitor.json("/api/projects/default/config");
  const thread = await visitor.json<Thread>("threads", { method: "POST", json: {} });
  note(`${visitor.name} opens ${thread?.threadId ?? "nothing"}`);
  if (!thread) return;
  const id = thread.threadId;
  told.threads.set(id, { id, archived: "no", titles: new Set(), title: undefined, questions: new Map(), answers: [] });
}

function newQuestion({ random }: Visitor, thread: ToldThread, parentId: string | null, tag: string): ToldQuestion {
  const content = `${tag} ${random.pick(VERBS)} ${1 + random.below(12)} ${random.pick([0, 5, 20])}`;
  const question = { id: tag, parentId, content, isAcknowledged: false, posts: 0 };
  thread.questions.set(tag, question);
  return question;
}

async function askNew(visitor: Visitor, thread: ToldThread, { newTag }: StepContext): Promise<void> {
  const messages = await visitor.json<readonly Message[]>(`threads/${thread.id}/messages`);
  const { random } = visitor;
  const head = messages?.at(-1)?.id ?? null;
  const question = newQuestion(visitor, thread, head, newTag());
  const asking = visitor.ask(thread, question);
  // Pressed twice, or in two pages.
  if (random.chance(0.2)) await Promise.all([asking, visitor.ask(thread, question)]);
  else await asking;
  // Most visitors read the answer before they go on.
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

/** Asks something else in place of a question: a branch. */
async function edit(visitor: Visitor, thread: ToldThread, context: StepContext): Promise<void> {
  const question = anyQuestion(visitor, thread);
  if (question) await visitor.ask(thread, newQuestion(visitor, thread, question.parentId, context.newTag()));
  else await askNew(visitor, thread, context);
}

function anyQuestion({ random }: Visitor, { questions }: ToldThread): ToldQuestion | undefined {
  const asked = [...questions.values()];
  return asked[random.below(asked.length)];
}

async function cancel(visitor: Visitor, thread: ToldThread, { note }: StepContext): Promise<void> {
  const status = await visitor.status(`threads/${thread.id}/run/cancel`, { method: "POST", json: {} });
  note(`${visitor.name} cancels in ${thread.id}: ${status ?? "lost"}`);
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

/** The visitor logs in at the host, which names them from now on: what they have goes with them. */
async function claim(visitor: Visitor, { note }: StepContext): Promise<void> {
  if (visitor.isNamed || visitor.told.threads.size === 0) return;
  visitor.logIn();
  visitor.told.isUnsure = true;
  const status = await visitor.status("visitor/claim", { method: "POST", json: {} });
  if (status === 200) visitor.told.isUnsure = false;
  note(`${visitor.name} claims: ${status ?? "lost"}`);
}

async function erase(visitor: Visitor, { note }: StepContext): Promise<void> {
  const { told } = visitor;
  const { isUnsure } = told;
  told.isUnsure = true;
  visitor.leave();
  const status = await visitor.status("visitor", { method: "DELETE" });
  note(`${visitor.name} erases itself: ${status ?? "lost"}`);
  if (status !== 204) return;
  told.isUnsure = isUnsure;
  visitor.forget();
}
