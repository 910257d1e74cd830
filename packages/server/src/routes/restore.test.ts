import { isDeepStrictEqual } from "node:util";
import type { Message, Thread } from "@nitka/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { Client, eventsOf, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { seeded } from "../storage/contract/seeded.contract.ts";
import { postgresForFile } from "../storage/contract/postgres-for-file.contract.ts";
import { openPostgresStorage } from "../storage/postgres.ts";
import type { Storage } from "../storage/storage.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

const { open, openThread, openHeld } = threadOpener();
const HOUR_MS = 3_600_000;

const restore = (client: Client, threadId: string) => client.post(`threads/${threadId}/restore`, {});
const remove = (client: Client, threadId: string) => client.post(`threads/${threadId}/archive`, {});

describe("restoring a thread", () => {
  it("restores it unchanged, with its files, at its place in the list", async () => {
    const { visitor } = await open();
    const client = await visitor();
    const [older, newer] = [await client.newThread(), await client.newThread()];
    await eventsOf(await client.ask(older, { id: "q1" }));
    await eventsOf(await client.ask(newer, { id: "q2" }));
    const file = new File(["Текст"], "a.txt", { type: "text/plain" });
    const { id } = (await (await client.upload(older, file)).json()) as { id: string };
    const before = [await client.threads(), await client.messages(older)];
    await remove(client, older);
    expect((await client.get(`attachments/${id}`)).status).toBe(404);
    const restored = await restore(client, older);
    expect([restored.status, await restored.json()]).toEqual([
      200,
      (before[0] as Thread[]).find(({ threadId }) => threadId === older),
    ]);
    expect([await client.threads(), await client.messages(older)]).toEqual(before);
    expect(await (await client.get(`attachments/${id}`)).text()).toBe("Текст");
  });

  it("responds with the thread when it is not deleted, and with 404 for one that never existed", async () => {
    const { client, threadId } = await openThread();
    expect(await (await restore(client, threadId)).json()).toEqual((await client.threads())[0]);
    expect(await refusalOf(await restore(client, "nothing"))).toBe("404 not_found");
  });

  it("is possible for an hour, also when deleted threads are kept for no days", async () => {
    let now = Date.parse("2026-05-04T10:00:00Z");
    const { client, threadId } = await openThread({ clock: () => new Date(now), project: { archiveDays: 0 } });
    await remove(client, threadId);
    now += HOUR_MS;
    expect((await restore(client, threadId)).status).toBe(200);
    await remove(client, threadId);
    now += HOUR_MS + 1;
    expect(await refusalOf(await restore(client, threadId))).toBe("404 not_found");
  });

  it("is refused beyond the number of threads, and not because of the bytes of files", async () => {
    const limits = { threads: 2, storageBytes: 10 };
    const { visitor } = await open({ project: { limits } });
    const client = await visitor();
    const [one] = [await client.newThread(), await client.newThread()];
    const file = () => new File(["123456"], "a.txt", { type: "text/plain" });
    await client.upload(one, file());
    await remove(client, one);
    const third = await client.newThread();
    expect((await client.upload(third, file())).status).toBe(200);
    expect(await refusalOf(await restore(client, one))).toBe("422 unprocessable");
    await remove(client, (await client.threads())[1]?.threadId ?? "");
    expect((await restore(client, one)).status).toBe(200);
    expect((await client.upload(one, file())).status).toBe(413);
  });

  it("keeps the answer cancelled that the deletion has cancelled, and accepts the next question", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await remove(client, threadId);
    await restore(client, threadId);
    await eventsOf(stream);
    expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "incomplete", reason: "cancelled" });
    const next = await client.ask(threadId, { id: "q2" });
    expect(next.status).toBe(200);
    await next.body?.cancel();
  });

  it("restores nothing of a visitor who was erased", async () => {
    const { client, threadId } = await openThread();
    await remove(client, threadId);
    await client.fetch("visitor", { method: "DELETE" });
    expect(await refusalOf(await restore(client, threadId))).toBe("404 not_found");
  });
});

/** What a visitor sees of a thread. */
interface Seen {
  readonly thread: Thread | undefined;
  readonly messages: readonly Message[];
}

async function seenBy(client: Client, threadId: string): Promise<Seen> {
  const thread = (await client.threads()).find((one) => one.threadId === threadId);
  return { thread, messages: await client.messages(threadId) };
}

/** Plays one life of a visitor with two tabs. Returns the differences from before. */
async function play(seed: number, tabs: readonly Client[]): Promise<readonly unknown[]> {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const tab = () => pick(tabs);
  const shown = new Map<string, Seen>();
  const deleted = new Map<string, Seen>();
  const wrong: unknown[] = [];
  const reload = async () => {
    const listed = await tab().threads();
    const seen = await Promise.all(
      listed.map(async (thread) => ({ thread, messages: await tab().messages(thread.threadId) })),
    );
    const expected = [...shown.values()].toSorted((a, b) => (place(a) < place(b) ? 1 : -1));
    if (!isDeepStrictEqual(seen, expected)) wrong.push({ seed, seen, expected });
  };
  // A life begins with a thread with two branches: most lives are too short to make one, show the other and delete it.
  const acts = ["create", "send", "send", "branch", "show", "show", "delete", "delete", "restore", "restore", "reload"];
  const begin = ["create", "send", "branch", "show"];
  for (let step = 0; step < begin.length + 10; step += 1) {
    const act = begin[step] ?? pick(acts);
    const threadId = pick([...shown.keys()]);
    const gone = pick([...deleted.keys()]);
    if (act === "create" || threadId === undefined) {
      const made = await tab().newThread();
      shown.set(made, await seenBy(tab(), made));
    } else if (act === "send" || act === "branch") {
      const parent = act === "branch" ? { parentId: null } : {};
      await eventsOf(await tab().ask(threadId, { id: `q${seed}-${step}`, content: "Вопрос", ...parent }));
      shown.set(threadId, await seenBy(tab(), threadId));
    } else if (act === "show") {
      // The last message belongs to the branch that is already shown.
      const { id } = pick(shown.get(threadId)?.messages.slice(0, -1) ?? []) ?? {};
      if (id !== undefined) await tab().post(`threads/${threadId}/branch`, { messageId: id });
      shown.set(threadId, await seenBy(tab(), threadId));
    } else if (act === "delete") {
      await remove(tab(), threadId);
      deleted.set(threadId, shown.get(threadId) as Seen);
      shown.delete(threadId);
    } else if (act === "restore" && gone !== undefined) {
      const [one, two] = await Promise.all([restore(tab(), gone), restore(tab(), gone)]);
      if (one.status !== 200 || two.status !== 200) wrong.push({ seed, step, status: [one.status, two.status] });
      shown.set(gone, deleted.get(gone) as Seen);
      deleted.delete(gone);
    } else {
      await reload();
    }
  }
  await reload();
  return wrong;
}

/** The place of a thread in the list. */
function place({ thread }: Seen): string {
  return `${thread?.updatedAt} ${thread?.threadId}`;
}

/** The number of lives on each database, and in each test. */
const LIVES = process.env["NITKA_THOROUGH"] === undefined ? 10 : 200;
const BATCH = 10;

function randomOrders(openStorage: () => Promise<Storage | undefined>): void {
  const batches = Array.from({ length: LIVES / BATCH }, (_, n) => n * BATCH + 1);
  it.each(batches)(
    "keeps list, history and branches in random orders of delete, restore, send, show and reload in two tabs, from seed %d",
    async (first) => {
      const limits = { messagesPerMinute: null, addressMessagesPerMinute: null, requestsPerMinute: null };
      const storage = await openStorage();
      const { server, visitor } = await open({ project: { limits }, ...(storage && { storage }) });
      for (let seed = first; seed < first + BATCH; seed += 1) {
        const client = await visitor();
        expect(await play(seed, [client, new Client(server, "default", client.cookie)])).toEqual([]);
      }
    },
  );
}

describe("on SQLite", () => {
  randomOrders(() => Promise.resolve(undefined));
});

describe("on Postgres", () => {
  const postgres = postgresForFile();
  const closes: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
  });
  const openStorage = async () => {
    const url = await postgres.current.createDatabase();
    const storage = await openPostgresStorage({ url, instanceId: "a", connections: 4 });
    closes.push(() => storage.close());
    return storage;
  };
  randomOrders(openStorage);

  it("keeps a thread complete while its files are dropped and it is restored at the same time", async () => {
    const storage = await openStorage();
    let now = Date.now();
    const { visitor } = await open({ storage, clock: () => new Date(now) });
    const client = await visitor();
    for (let n = 0; n < 20; n += 1) {
      const threadId = await client.newThread();
      const file = new File(["Текст"], "a.txt", { type: "text/plain" });
      const { id } = (await (await client.upload(threadId, file)).json()) as { id: string };
      await remove(client, threadId);
      now += 1;
      const dropping = (async () => {
        for await (const _ of storage.attachments.expireArchived(new Date(now).toISOString()));
      })();
      const [{ status }] = await Promise.all([restore(client, threadId), dropping]);
      expect(status).toBe(200);
      // Either all of its files were dropped before, or none is dropped any more.
      const before = (await client.get(`attachments/${id}`)).status;
      for await (const _ of storage.attachments.expireArchived(new Date(now + 9).toISOString()));
      expect((await client.get(`attachments/${id}`)).status).toBe(before);
    }
    await eventually(async () => expect((await client.threads()).length).toBe(20));
  });
});
