import { describe, expect, it, vi } from "vitest";
import type { StreamEvent } from "@nitka/protocol";
import { eventsOf, framesOf, parseFrames, refusalOf, tap } from "../contract/server.contract.ts";
import { finish, threadOpener, wordsOf } from "../contract/thread.contract.ts";

const { openHeld, openThread } = threadOpener();

describe("the reader's connection", () => {
  it("stops nothing when it closes", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.write("На");
    await vi.waitFor(() => expect(stream.text()).toContain("На"));
    await stream.cut();
    model.write("чало");
    model.end();
    await vi.waitFor(async () =>
      expect((await client.messages(threadId)).at(-1)?.status).toEqual({ type: "complete" }),
    );
    expect(wordsOf((await client.messages(threadId)).at(-1)?.content)).toBe("Начало");
  });

  it("is kept alive by pings that are no events of the run", async () => {
    const { model, client, threadId } = await openHeld(undefined, { timings: { pingMs: 40 } });
    const stream = tap(await client.ask(threadId, { id: "q1" }, {}, "?cursor=1"));
    await model.asked(1);
    const ping = 'data: {"type":"data-ping","data":{},"transient":true}\n\n';
    await vi.waitFor(() => expect(stream.text().split(ping).length).toBeGreaterThan(2));
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
  it("gets all its events, numbered, from the first on", async () => {
    const { model, client, threadId } = await openHeld();
    const asked = await client.ask(threadId, { id: "q1" }, {}, "?cursor=1");
    await model.asked(1);
    model.write("Раз");
    const joined = await client.join(threadId);
    model.write("Два");
    model.end();
    expect(await joined.text()).toBe(await asked.text());
  });

  it.each([
    ["?after", "?after=2", {}],
    ["Last-Event-ID", "", { "last-event-id": "2" }],
  ])("gets only the events after the number in %s", async (_, query, headers) => {
    const { model, client, threadId } = await openHeld();
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Раз");
    model.write("Два");
    const joined = await client.join(threadId, query, headers);
    finish(model, "Три");
    expect((await framesOf(joined)).map(({ id, data }) => [id, (data as { delta?: string }).delta])).toEqual([
      [3, "Два"],
      [4, "Три"],
      [5, undefined],
      [6, undefined],
      [undefined, undefined],
    ]);
  });

  it("gets a run from its first event when the number is of another one", async () => {
    const { model, client, threadId } = await openHeld();
    await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const joined = await client.join(threadId, "?after=500");
    finish(model);
    expect((await framesOf(joined)).map(({ id }) => id)).toEqual([1, 2, 3, 4, undefined]);
  });

  it("answers 204 when there is none", async () => {
    const { client, threadId } = await openThread();
    const before = await client.join(threadId);
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const after = await client.join(threadId, "?after=3");
    expect([before.status, await before.text(), after.status]).toEqual([204, "", 204]);
  });

  it("refuses a number that is none, and shrugs at what a browser has read elsewhere", async () => {
    const { client, threadId } = await openThread();
    expect(await refusalOf(await client.join(threadId, "?after=abc"))).toBe("400 bad_request");
    expect((await client.join(threadId, "", { "last-event-id": "abc" })).status).toBe(204);
  });

  it("answers HEAD with the stream's headers alone", async () => {
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
