import { expect, it } from "vitest";
import { finish, threadOpener } from "../contract/thread.contract.ts";

const { openHeld } = threadOpener();

const ever = { projectIds: ["default"], from: "2000-01-01T00:00:00.000Z", to: "2100-01-01T00:00:00.000Z" };

it("a run's end stores the time to the first text and the number of rejoins", async () => {
  const { model, client, threadId, storage } = await openHeld();
  const asked = await client.ask(threadId, { id: "q1" }, {}, "?cursor=1");
  await model.asked(1);
  await client.join(threadId);
  await client.join(threadId, "?after=of-another-run:1");
  const again = await client.join(threadId);
  finish(model);
  await Promise.all([asked.text(), again.text()]);
  const [run] = await storage.desk.runs({ ...ever, limit: 1 });
  expect(run).toMatchObject({ rejoins: 2, firstTokenMs: expect.any(Number) as number });
});

it("a run's end stores no time to the first text for an answer without text", async () => {
  const { model, client, threadId, storage } = await openHeld();
  const asked = await client.ask(threadId, { id: "q1" });
  await model.asked(1);
  model.fail(new Error("none"));
  await asked.text();
  const [run] = await storage.desk.runs({ ...ever, limit: 1 });
  expect(run?.firstTokenMs).toBeUndefined();
  expect(run?.rejoins).toBe(0);
});
