import { afterEach, beforeEach } from "vitest";
import type { Attachment, Message } from "@nitka/protocol";
import { bytesOf, piecesOf } from "../files/pieces.contract.ts";
import type { LoggedEvent, NewRun, Owner, Parts, Storage, StoredRun, StoredThread } from "../storage.ts";

/** Opens a new, empty storage. */
export type OpenStorage = () => Promise<Storage>;

/** The storage of the current test, and the operations of tests on it. */
export interface StorageFixture {
  readonly current: Storage;
  readonly beginIn: BoundTo<typeof beginIn>;
  readonly keep: BoundTo<typeof keep>;
  readonly messagesOf: BoundTo<typeof messagesOf>;
  readonly runOf: BoundTo<typeof runOf>;
  readonly exportOf: BoundTo<typeof exportOf>;
}

type BoundTo<Work> = Work extends (storage: Storage, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

/** A storage for each test, opened before and closed after it. */
export function storageForEach(open: OpenStorage): StorageFixture {
  let current: Storage | undefined;
  beforeEach(async () => {
    current = await open();
  });
  afterEach(async () => {
    await current?.close();
    current = undefined;
  });
  const opened = (): Storage => {
    if (!current) throw new Error("There is a storage only while a test runs");
    return current;
  };
  return {
    get current() {
      return opened();
    },
    beginIn: (...rest) => beginIn(opened(), ...rest),
    keep: (...rest) => keep(opened(), ...rest),
    messagesOf: (...rest) => messagesOf(opened(), ...rest),
    runOf: (...rest) => runOf(opened(), ...rest),
    exportOf: (...rest) => exportOf(opened(), ...rest),
  };
}

export const anna: Owner = { projectId: "shop", visitorId: "anna" };

/** Another visitor of the same project. */
export const boris: Owner = { projectId: "shop", visitorId: "boris" };

/** A visitor whom the host identifies. */
export const named: Owner = { projectId: "shop", visitorId: "host:7" };

/** Owners other than Anna in the shop. */
export const foreigners: readonly Owner[] = [
  boris,
  { projectId: "blog", visitorId: "anna" },
  { projectId: "", visitorId: "" },
];

/** Second `n` of the tests' day. */
export function time(n: number): string {
  return new Date(Date.UTC(2026, 10, 21, 12, 0, n)).toISOString();
}

export function run(n: number, threadId = "t1"): NewRun {
  return { runId: `run${n}`, threadId, questionId: `q${n}`, answerId: `a${n}`, instanceId: "here" };
}

export function question(n: number, parentId: string | null = null): Message {
  return { id: `q${n}`, role: "user", content: `Вопрос ${n}`, parentId };
}

export function answer(n: number, text: string, status: Message["status"] = { type: "complete" }): Message {
  return {
    id: `a${n}`,
    role: "assistant",
    content: [{ type: "text", text }],
    parentId: `q${n}`,
    ...(status && { status }),
  };
}

export const submit = (n: number) => ({ regenerate: false, at: time(n) });
export const regenerate = (n: number) => ({ regenerate: true, at: time(n) });

export function delta(n: number, seq: number, text: string): LoggedEvent {
  return { runId: `run${n}`, seq, data: JSON.stringify({ type: "text-delta", id: "0", delta: text }) };
}

/** A thread's messages, read as the server does: first the tree, then the messages. */
export async function messagesOf({ messages }: Storage, owner: Owner, threadId: string): Promise<readonly Message[]> {
  const places = await messages.tree(owner, threadId);
  const ids = places.map(({ id }) => id);
  const read = new Map((await messages.read(owner, threadId, ids)).map((message) => [message.id, message]));
  return ids.flatMap((id) => read.get(id) ?? []);
}

/** The latest run of Anna's question `n`. */
export async function runOf({ runs }: Storage, n: number, threadId = "t1"): Promise<StoredRun | undefined> {
  return (await runs.standing(anna, threadId, `q${n}`))?.asked;
}

/** Creates a thread of Anna's in which run `n` is answering question `n`. */
export async function beginIn(storage: Storage, threadId: string, n: number, instanceId = "here"): Promise<void> {
  await storage.threads.create(anna, { threadId, updatedAt: time(0) });
  await storage.runs.begin(anna, { ...run(n, threadId), instanceId }, question(n), submit(n));
}

/** Stores an attachment, as an upload does. */
export async function keep(
  storage: Storage,
  owner: Owner,
  threadId: string,
  attachment: Attachment,
  bytes: Uint8Array,
  at: string,
): Promise<boolean> {
  const until = new Date(Date.parse(at) + 3_600_000).toISOString();
  const room = { fileId: attachment.id, bytes: bytes.length, until, limit: null };
  if ((await storage.attachments.reserve(owner, threadId, room)) !== "reserved") return false;
  await storage.attachments.write(attachment.id, piecesOf(bytes));
  return storage.attachments.create(owner, threadId, attachment, { at });
}

/** Does all parts, and returns the total of their rows. */
export async function allOf(parts: Parts): Promise<number> {
  let sum = 0;
  for await (const count of parts) sum += count;
  return sum;
}

/** The export of a visitor, with the bytes of attachments in base64. */
export async function exportOf(
  storage: Storage,
  owner: Owner,
): Promise<Owner & { readonly threads: readonly StoredThread[] }> {
  const threads: StoredThread[] = [];
  for await (const { thread, messages, runs, attachments } of storage.visitors.export(owner)) {
    const said: Message[] = [];
    for await (const message of messages) said.push(message);
    const ran: object[] = [];
    for await (const each of runs) ran.push(each);
    const sent: object[] = [];
    for await (const { attachment, pieces } of attachments) {
      sent.push({ ...attachment, data: (await bytesOf(pieces)).toString("base64") });
    }
    const exported = { ...thread, messages: said, runs: ran, attachments: sent };
    threads.push(exported);
  }
  return { ...owner, threads };
}
