import { afterEach, expect, it } from "vitest";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { finish, threadOpener, wordsOf } from "../contract/thread.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";

const { openHeld } = threadOpener();
const storages: Storage[] = [];

afterEach(async () => {
  for (const storage of storages.splice(0)) await storage.close();
});

it("A question whose thread is claimed before its conversation is read reaches the model with the conversation", async () => {
  const storage = await openSqliteStorage({ path: ":memory:" });
  storages.push(storage);
  let isClaimed = false;
  const messages: Storage["messages"] = {
    ...storage.messages,
    read: async (owner, threadId, ids) => {
      // The visitor logs in at this very moment.
      if (!isClaimed) await storage.visitors.claim(owner, "host:boris");
      isClaimed = true;
      return await storage.messages.read(owner, threadId, ids);
    },
  };
  const { model, client, threadId } = await openHeld(createHeldModel(), { storage: { ...storage, messages } });
  const first = await client.ask(threadId, { id: "q1", content: "Есть чашки?" });
  await model.asked(1);
  finish(model, "Есть");
  await first.text();
  isClaimed = false;
  const second = await client.ask(threadId, { id: "q2", content: "А синие?" });
  await model.asked(2);
  finish(model, "И синие");
  await second.text();
  expect([isClaimed, model.requests[1]?.history.map(({ content }) => wordsOf(content))]).toEqual([
    true,
    ["Есть чашки?", "Есть", "А синие?"],
  ]);
});
