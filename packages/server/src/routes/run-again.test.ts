import { describe, expect, it } from "vitest";
import { eventually } from "../test-waits/eventually.contract.ts";
import { eventsOf, refusalOf } from "../contract/server.contract.ts";
import { finish, threadOpener, wordsOf } from "../contract/thread.contract.ts";

const { openHeld, openThread } = threadOpener();

describe("a question that is posted twice", () => {
  it("joins its run from the first event", async () => {
    const { model, client, threadId } = await openHeld();
    const first = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Пер");
    await eventually(async () => expect(wordsOf((await client.messages(threadId)).at(-1)?.content)).toBe("Пер"));
    const second = await client.ask(threadId, { id: "q1" });
    model.write("вый");
    model.end();
    expect(await second.text()).toBe(await first.text());
    expect([model.requests.length, (await client.messages(threadId)).length]).toEqual([1, 2]);
  });

  it("replays the stored answer when that run has ended", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const [, answer] = await client.messages(threadId);
    expect(await eventsOf(await client.ask(threadId, { id: "q1" }))).toEqual([
      { type: "start", messageId: answer?.id },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Привет" },
      { type: "text-end", id: "0" },
      { type: "finish", finishReason: "stop" },
      "[DONE]",
    ]);
    expect(await client.messages(threadId)).toHaveLength(2);
  });

  it("begins one run when it is posted twenty times at once, and all requests read it", async () => {
    const { model, client, threadId } = await openHeld(undefined, {
      project: { limits: { messagesPerMinute: null, addressMessagesPerMinute: null } },
    });
    const streams = Array.from({ length: 20 }, () => client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    finish(model);
    const texts = await Promise.all(streams.map(async (stream) => (await stream).text()));
    expect(new Set(texts).size).toBe(1);
    expect([model.requests.length, (await client.messages(threadId)).length]).toEqual([1, 2]);
  });

  it("counts once against the visitor's limit", async () => {
    const { client, threadId } = await openThread({ project: { limits: { messagesPerMinute: 1 } } });
    for (let n = 0; n < 3; n += 1) expect((await client.ask(threadId, { id: "q1" })).status).toBe(200);
  });
});

describe("another question while the thread runs", () => {
  it("is refused until the run is over", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("409 run_in_progress");
    const again = { trigger: "regenerate-message" };
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }, again))).toBe("409 run_in_progress");
    finish(model);
    await eventsOf(stream);
    expect((await client.ask(threadId, { id: "q2" })).status).toBe(200);
  });

  it("begins exactly one run when several arrive at once", async () => {
    const { model, client, threadId } = await openHeld(undefined, {
      project: { limits: { messagesPerMinute: null, addressMessagesPerMinute: null } },
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.ask(threadId, { id: `q${n}`, parentId: null })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    await model.asked(1);
    expect(model.requests).toHaveLength(1);
  });
});

describe("the number of concurrent runs", () => {
  it("is limited per visitor", async () => {
    const { model, visitor, client } = await openHeld(undefined, { project: { limits: { runsAtOnce: 2 } } });
    const threads = [await client.newThread(), await client.newThread(), await client.newThread()];
    const answers = await Promise.all(threads.map((threadId) => client.ask(threadId, { id: "q1" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("5");
    const other = await visitor();
    expect((await other.ask(await other.newThread(), { id: "q1" })).status).toBe(200);
    await model.asked(3);
  });

  it("is limited per process, with Retry-After", async () => {
    const { client, threadId, visitor, log } = await openHeld(undefined, { maxRuns: 1 });
    await client.ask(threadId, { id: "q1" });
    const other = await visitor();
    const response = await other.ask(await other.newThread(), { id: "q1" });
    expect([response.headers.get("retry-after"), await refusalOf(response)]).toEqual(["5", "503 overloaded"]);
    // A refusal is not an error of the server: its request line is enough.
    expect(log.filter(({ level }) => level === "error")).toEqual([]);
    expect((await client.ask(threadId, { id: "q1" })).status).toBe(200);
  });

  it("is limited by questions per minute, with bursts of ten", async () => {
    let now = Date.UTC(2026, 10, 21);
    const { client } = await openThread({ clock: () => new Date(now) });
    const ask = async (n: number) => {
      const response = await client.ask(await client.newThread(), { id: `q${n}` });
      await response.text();
      return [response.status, response.headers.get("retry-after")];
    };
    for (let n = 0; n < 10; n += 1) expect(await ask(n)).toEqual([200, null]);
    expect(await ask(10)).toEqual([429, "2"]);
    now += 2_000;
    expect(await ask(11)).toEqual([200, null]);
    expect(await ask(12)).toEqual([429, "2"]);
  });
});
