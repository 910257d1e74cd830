/** The requirements for every `ThreadStorage`, to be run by a host's own tests. */
import assert from "node:assert/strict";
import type { Message, Thread } from "@nitka/protocol";
import type { ThreadStorage } from "./thread-storage.ts";

/**
 * Each requirement with its check, which throws when it is not met. The checks use visitors of their own, so that one
 * storage can serve all of them.
 *
 * @example
 * for (const { title, check } of threadStorageContract) it(title, () => check(storage));
 */
export const threadStorageContract: readonly {
  readonly title: string;
  readonly check: (storage: ThreadStorage) => Promise<void>;
}[] = [
  {
    title: "a new thread is in its visitor's list, and has no messages",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      assert.deepEqual(await storage.list(visitor), [thread]);
      assert.deepEqual(await storage.read(visitor, thread.threadId), { ...thread, messages: [] });
    },
  },
  {
    title: "an unknown thread is undefined, an unknown visitor's list empty",
    async check(storage) {
      const { visitor } = await begin(storage);
      assert.equal(await storage.read(visitor, crypto.randomUUID()), undefined);
      assert.deepEqual(await storage.list(crypto.randomUUID()), []);
    },
  },
  {
    title: "the list begins with the latest change",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const later = threadAt("2026-01-02T00:00:00.000Z");
      await storage.create(visitor, later);
      assert.deepEqual(await storage.list(visitor), [later, thread]);
      const updatedAt = "2026-01-03T00:00:00.000Z";
      await storage.change(visitor, thread.threadId, { updatedAt });
      assert.deepEqual(await storage.list(visitor), [{ ...thread, updatedAt }, later]);
    },
  },
  {
    title: "another visitor neither finds a thread nor changes it",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const other = crypto.randomUUID();
      assert.equal(await storage.read(other, thread.threadId), undefined);
      assert.equal(await storage.change(other, thread.threadId, { title: "!", message: question("q1") }), false);
      await storage.delete(other, thread.threadId);
      assert.deepEqual(await storage.list(other), []);
      assert.deepEqual(await storage.read(visitor, thread.threadId), { ...thread, messages: [] });
    },
  },
  {
    title: "a change keeps what it does not name",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const { threadId } = thread;
      assert.equal(await storage.change(visitor, threadId, { message: question("q1") }), true);
      assert.equal(await storage.change(visitor, threadId, { title: "О чайниках" }), true);
      const changed = { ...thread, title: "О чайниках", messages: [question("q1")] };
      assert.deepEqual(await storage.read(visitor, threadId), changed);
    },
  },
  {
    title: "messages keep their order, and one with a known id is replaced in its place",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const { threadId } = thread;
      for (const id of ["b", "a", "c"]) await storage.change(visitor, threadId, { message: question(id) });
      const edited = { ...question("a"), content: "Ещё" };
      await storage.change(visitor, threadId, { message: edited });
      const { messages } = (await storage.read(visitor, threadId)) ?? {};
      assert.deepEqual(messages, [question("b"), edited, question("c")]);
    },
  },
  {
    title: "the id of a message is its thread's own: two threads may have the same",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const second = threadAt("2026-01-02T00:00:00.000Z");
      await storage.create(visitor, second);
      await storage.change(visitor, thread.threadId, { message: question("q1") });
      await storage.change(visitor, second.threadId, { message: { ...question("q1"), content: "Другой" } });
      assert.deepEqual((await storage.read(visitor, thread.threadId))?.messages, [question("q1")]);
    },
  },
  {
    title: "a message is read as it was written",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const message: Message = {
        id: "a1",
        role: "assistant",
        parentId: "q1",
        createdAt: "2026-01-01T00:00:00.000Z",
        content: [
          { type: "text", text: "Чай 🫖 'и' \"чашка\"\n\\" },
          { type: "tool-call", toolCallId: "c", toolName: "t", argsText: "{}", args: { a: [1, null] }, result: null },
        ],
        status: { type: "incomplete", reason: "interrupted" },
      };
      await storage.change(visitor, thread.threadId, { message });
      assert.deepEqual((await storage.read(visitor, thread.threadId))?.messages, [message]);
    },
  },
  {
    title: "changes at the same time are all kept",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const { threadId } = thread;
      const ids = Array.from({ length: 10 }, (_, index) => `q${index}`);
      await Promise.all([
        ...ids.map((id) => storage.change(visitor, threadId, { message: question(id) })),
        storage.change(visitor, threadId, { title: "О чашках" }),
      ]);
      const { title, messages = [] } = (await storage.read(visitor, threadId)) ?? {};
      assert.equal(title, "О чашках");
      assert.deepEqual(messages.map(({ id }) => id).toSorted(), ids);
    },
  },
  {
    title: "a deleted thread is gone, and no change brings it back",
    async check(storage) {
      const { visitor, thread } = await begin(storage);
      const { threadId } = thread;
      await storage.change(visitor, threadId, { message: question("q1") });
      await storage.delete(visitor, threadId);
      assert.equal(await storage.change(visitor, threadId, { title: "!", message: question("q2") }), false);
      assert.equal(await storage.read(visitor, threadId), undefined);
      assert.deepEqual(await storage.list(visitor), []);
    },
  },
];

/** A new visitor with a thread. */
async function begin(storage: ThreadStorage): Promise<{ readonly visitor: string; readonly thread: Thread }> {
  const visitor = crypto.randomUUID();
  const thread = threadAt("2026-01-01T00:00:00.000Z");
  await storage.create(visitor, thread);
  return { visitor, thread };
}

function threadAt(updatedAt: string): Thread {
  return { threadId: crypto.randomUUID(), title: "", updatedAt };
}

function question(id: string): Message {
  return { id, role: "user", parentId: null, content: "Чай?" };
}
