import { describe, expect, it } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { eventually } from "../test-waits/eventually.contract.ts";
import { eventsOf, framesOf, parseFrames, seqOf, tap } from "../contract/server.contract.ts";
import { ownerOf } from "../contract/instances.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import type { Storage } from "../storage/storage.ts";
import { finish, threadOpener, wordsOf } from "../contract/thread.contract.ts";

const { openHeld, openThread } = threadOpener();

describe("the reader's connection", () => {
  it("can close without stopping the run", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.write("На");
    await eventually(() => expect(stream.text()).toContain("На"));
    await stream.cut();
    model.write("чало");
    model.end();
    await eventually(async () =>
      expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" }),
    );
    expect(wordsOf((await client.messages(threadId)).at(-1)?.content)).toBe("Начало");
  });

  it("is kept alive by pings, which have no id", async () => {
    const { model, client, threadId } = await openHeld(undefined, { timings: { pingMs: 40 } });
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    const ping = 'data: {"type":"data-ping","data":{},"transient":true}\n\n';
    await eventually(() => expect(stream.text().split(ping).length).toBeGreaterThan(2));
    finish(model);
    await stream.done;
    const numbered = parseFrames(stream.text()).filter(({ id }) => id !== undefined);
    expect(numbered.map(({ data }) => (data as StreamEvent).type)).toEqual([
      "start",
      "text-delta",
      "data-title",
      "finish",
    ]);
  });
});

describe("joining a run", () => {
  it("streams all events with ids, from the first", async () => {
    const { model, client, threadId } = await openHeld();
    const asked = await client.ask(threadId, { id: "q1" }, {}, "?cursor=1");
    await model.asked(1);
    model.write("Раз");
    const joined = await client.join(threadId);
    model.write("Два");
    model.end();
    expect(await joined.text()).toBe(await asked.text());
  });

  it("streams events whose ids name their run", async () => {
    const { client, threadId } = await openThread();
    const [one, other] = [
      await framesOf(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1")),
      await framesOf(await client.ask(threadId, { id: "q2" }, {}, "?cursor=1")),
    ];
    const runsOf = (frames: typeof one) => [...new Set(frames.flatMap(({ id }) => id?.replace(/:\d+$/, "") ?? []))];
    expect([runsOf(one).length, runsOf(other).length]).toEqual([1, 1]);
    expect(runsOf(one)).not.toEqual(runsOf(other));
    expect(one.map(seqOf)).toEqual([1, 2, 3, 4, 5, 6, 7, undefined]);
  });

  it.each([
    ["?after", (id: string): [string, Record<string, string>] => [`?after=${id}`, {}]],
    ["Last-Event-ID", (id: string): [string, Record<string, string>] => ["", { "last-event-id": id }]],
  ])("gets only the events after the id in %s", async (_, askAfter) => {
    const { model, client, threadId } = await openHeld();
    const first = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    model.write("Раз");
    model.write("Два");
    await eventually(() => expect(first.text()).toContain("Два"));
    const joined = await client.join(threadId, ...askAfter(parseFrames(first.text())[1]?.id ?? ""));
    finish(model, "Три");
    expect((await framesOf(joined)).map((frame) => [seqOf(frame), (frame.data as { delta?: string }).delta])).toEqual([
      [3, "Два"],
      [4, "Три"],
      [5, undefined],
      [6, undefined],
      [undefined, undefined],
    ]);
  });

  it("responds with 204 to an id of an earlier run while another run is in progress", async () => {
    const { model, client, threadId } = await openHeld();
    const asked = client.ask(threadId, { id: "q1" }, {}, "?cursor=1");
    await model.asked(1);
    finish(model, "Раз");
    const [stale] = await framesOf(await asked);
    await client.ask(threadId, { id: "q2" });
    await model.asked(2);
    model.write("Два");
    const joined = await client.join(threadId, `?after=${stale?.id}`);
    expect([joined.status, await joined.text()]).toEqual([204, ""]);
    const afresh = await client.join(threadId);
    model.end();
    expect((await framesOf(afresh)).map(seqOf)).toEqual([1, 2, 3, undefined]);
  });

  it("responds with 204 without a run in progress", async () => {
    const { client, threadId } = await openThread();
    const before = await client.join(threadId);
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const after = await client.join(threadId, "?after=3");
    expect([before.status, await before.text(), after.status]).toEqual([204, "", 204]);
  });

  it.each(["abc", "3", ":3", "run:", "run:-1", "run:1.5", "run:99999999999", "a".repeat(300)])(
    "responds with 204 to %s, which is not the id of an event, while a run is in progress",
    async (id) => {
      const { model, client, threadId } = await openHeld();
      await client.ask(threadId, { id: "q1" });
      await model.asked(1);
      expect((await client.join(threadId, `?after=${id}`)).status).toBe(204);
      expect((await client.join(threadId, "", { "last-event-id": id })).status).toBe(204);
    },
  );

  it("responds with 204 to the id of an event that was not sent yet", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    await eventually(() => expect(stream.text()).toContain("start"));
    const runId = parseFrames(stream.text())[0]?.id?.split(":")[0];
    expect((await client.join(threadId, `?after=${runId}:500`)).status).toBe(204);
    expect((await client.join(threadId, `?after=${runId}:1`)).status).toBe(200);
  });

  it("ends like a broken connection, and logs no error, when the visitor is erased before the log is read", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    let erase: () => Promise<unknown> = async () => undefined;
    const read: Storage["events"]["read"] = async (...place) => {
      await erase();
      return storage.events.read(...place);
    };
    const held = await openHeld(undefined, { storage: { ...storage, events: { ...storage.events, read } } });
    const { model, client, threadId, log } = held;
    const asked = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.write("Раз");
    const runId = (await storage.runs.findRunning(ownerOf(client), threadId))?.runId ?? "";
    await eventually(async () => expect(await storage.events.read(runId, 0)).toHaveLength(2));
    erase = () => storage.visitors.purge(ownerOf(client));
    const joined = tap(await client.join(threadId));
    await expect(joined.done).rejects.toThrow("join the run again");
    await asked.done;
    expect((await client.join(threadId)).status).toBe(404);
    expect(log.filter(({ level }) => level === "error")).toEqual([]);
    await held.server.close();
    await storage.close();
  });

  it("answers HEAD with only the stream's headers", async () => {
    const { model, client, threadId } = await openHeld();
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const response = await client.fetch(`threads/${threadId}/run/stream`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      200,
      "text/event-stream",
      "",
    ]);
  });
});
