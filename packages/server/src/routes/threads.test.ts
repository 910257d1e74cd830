import { describe, expect, it } from "vitest";
import type { Thread } from "@nitka/protocol";
import { ownerOf } from "../contract/instances.contract.ts";
import { eventsOf, greeter, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";

const { open, openThread, openHeld } = threadOpener();

/** A clock that advances by a second with each call. */
function ticking(): () => Date {
  let now = Date.UTC(2026, 10, 21, 12);
  return () => new Date((now += 1000));
}

describe("the list of threads", () => {
  it("is empty at first, then has the new threads, newest first", async () => {
    const { visitor } = await open({ clock: ticking() });
    const client = await visitor();
    expect(await client.threads()).toEqual([]);
    const made: Thread[] = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await (await client.post("threads", {})).json()) as Thread);
    expect(await client.threads()).toEqual(made);
    expect(made[0]).toEqual({
      threadId: expect.stringMatching(/^[0-9a-z]{24}$/),
      updatedAt: expect.stringMatching(/^2026-11-21T12:\d\d:\d\d\.000Z$/),
    });
  });

  it("is returned page by page without gaps or repetition", async () => {
    const { visitor } = await open({
      clock: ticking(),
      project: { limits: { threadsPerMinute: null, requestsPerMinute: null } },
    });
    const client = await visitor();
    for (let n = 0; n < 7; n += 1) await client.newThread();
    const ids = (await client.threads()).map(({ threadId }) => threadId);
    const pages: string[][] = [];
    for (let before = ""; ;) {
      const page = (await (await client.get(`threads?limit=3${before && `&before=${before}`}`)).json()) as Thread[];
      if (page.length === 0) break;
      pages.push(page.map(({ threadId }) => threadId));
      before = page.at(-1)?.threadId ?? "";
    }
    expect(pages).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)]);
  });

  it("refuses a limit outside 1 to 200", async () => {
    const { visitor } = await open({ project: { limits: { threadsPerMinute: null, requestsPerMinute: null } } });
    const client = await visitor();
    for (let n = 0; n < 201; n += 1) await client.newThread();
    expect(await client.threads()).toHaveLength(200);
    for (const limit of ["0", "201", "-1", "1.5", "many", ""]) {
      expect(await refusalOf(await client.get(`threads?limit=${limit}`))).toBe("400 bad_request");
    }
  });

  it("says which value of a request is missing or of a wrong type, and what it must be", async () => {
    const { visitor } = await open();
    const client = await visitor();
    const threadId = await client.newThread();
    const sentences = [];
    for (const response of [
      await client.get("threads?limit=many"),
      await client.get("threads?limit=1.5"),
      await client.post("threads", []),
      await client.post(`threads/${threadId}/rename`, {}),
      await client.post(`threads/${threadId}/rename`, { title: 5 }),
      await client.post(`threads/${threadId}/run/stream`, {}),
      await client.post(`threads/${threadId}/run/stream`, { messages: ["Hello"] }),
    ]) {
      sentences.push(((await response.json()) as { readonly error: { readonly message: string } }).error.message);
    }
    expect(sentences).toEqual([
      "limit: must be a number.",
      "limit: must be a whole number.",
      "The request: must be an object.",
      "title: must be a string.",
      "title: must be a string.",
      "messages: must be a list.",
      "messages.0: must be an object.",
    ]);
  });

  it("is empty before a thread that is not the visitor's", async () => {
    const { visitor } = await open();
    const [anna, boris] = [await visitor(), await visitor()];
    await anna.newThread();
    const foreign = await boris.newThread();
    expect(await (await anna.get(`threads?before=${foreign}`)).json()).toEqual([]);
    expect(await (await anna.get("threads?before=nothing")).json()).toEqual([]);
  });

  it("has a thread first after a question in it", async () => {
    const { visitor } = await open({ clock: ticking() });
    const client = await visitor();
    const first = await client.newThread();
    const second = await client.newThread();
    await eventsOf(await client.ask(first, { id: "q1" }));
    expect((await client.threads()).map(({ threadId }) => threadId)).toEqual([first, second]);
  });
});

describe("a thread's title", () => {
  it("is the visitor's, trimmed", async () => {
    const { client, threadId } = await openThread();
    const response = await client.post(`threads/${threadId}/rename`, { title: "  Погода\nв Москве " });
    const thread = await response.json();
    expect(thread).toMatchObject({ threadId, title: "Погода в Москве" });
    expect(await client.threads()).toEqual([thread]);
  });

  it("has 1 to 200 characters, counted by code points", async () => {
    const { client, threadId } = await openThread();
    const rename = (title: unknown) => client.post(`threads/${threadId}/rename`, { title });
    for (const title of ["", "  \n ", "\0", "я".repeat(201), 7, null, undefined]) {
      expect(await refusalOf(await rename(title))).toBe("422 unprocessable");
    }
    expect((await rename("😀".repeat(200))).status).toBe(200);
    expect(await client.threads()).toMatchObject([{ title: "😀".repeat(200) }]);
  });

  it("stays the visitor's when the model sets one later", async () => {
    const { client, threadId } = await openThread();
    await client.post(`threads/${threadId}/rename`, { title: "Моё" });
    const events = await eventsOf(await client.ask(threadId, { id: "q1" }));
    expect(events.filter((event) => JSON.stringify(event).includes("title"))).toEqual([]);
    expect(await client.threads()).toMatchObject([{ title: "Моё" }]);
  });
});

describe("the number of threads", () => {
  it("is limited, and archived ones do not count", async () => {
    const { visitor } = await open({ project: { limits: { threads: 2 } } });
    const client = await visitor();
    await client.newThread();
    const threadId = await client.newThread();
    expect(await refusalOf(await client.post("threads", {}))).toBe("422 unprocessable");
    await client.post(`threads/${threadId}/archive`, {});
    expect((await client.post("threads", {})).status).toBe(200);
  });
});

describe("the number of archived threads", () => {
  it("is limited: the one archived first is deleted for good", async () => {
    const { visitor, storage } = await open({ clock: ticking(), project: { limits: { threads: 2 } } });
    const client = await visitor();
    const another = await visitor();
    const theirs = await another.newThread();
    await another.post(`threads/${theirs}/archive`, {});
    const archived: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const threadId = await client.newThread();
      await client.post(`threads/${threadId}/archive`, {});
      archived.push(threadId);
    }
    const owned = async (one: Client) =>
      (await exportOf(storage, ownerOf(one))).threads.map(({ threadId }) => threadId).toSorted();
    expect(await owned(client)).toEqual(archived.slice(-2).toSorted());
    expect(await owned(another)).toEqual([theirs]);
  });
});

describe("an archived thread", () => {
  it("is not in the list, and gets 404 from every operation", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const file = new File(["Текст"], "a.txt", { type: "text/plain" });
    const { id } = (await (await client.upload(threadId, file)).json()) as { id: string };
    expect((await client.post(`threads/${threadId}/archive`, {})).status).toBe(200);
    expect(await client.threads()).toEqual([]);
    const answers = await Promise.all([
      client.get(`threads/${threadId}/messages`),
      client.post(`threads/${threadId}/rename`, { title: "a" }),
      client.post(`threads/${threadId}/archive`, {}),
      client.post(`threads/${threadId}/branch`, { messageId: "q1" }),
      client.ask(threadId, { id: "q2" }),
      client.join(threadId),
      client.post(`threads/${threadId}/run/cancel`, {}),
      client.upload(threadId, file),
      client.get(`attachments/${id}`),
    ]);
    expect(await Promise.all(answers.map(refusalOf))).toEqual(answers.map(() => "404 not_found"));
  });

  it("has its run cancelled", async () => {
    const { model, client, threadId } = await openHeld();
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await client.post(`threads/${threadId}/archive`, {});
    expect(await eventsOf(stream)).toEqual([
      { type: "start", messageId: expect.any(String) },
      { type: "abort", reason: "cancelled" },
      "[DONE]",
    ]);
    expect(model.requests[0]?.signal.aborted).toBe(true);
  });
});

describe("the open branch", () => {
  it("is listed last the next time, down to its newest message", async () => {
    const { client, threadId } = await openThread({ model: greeter });
    await eventsOf(await client.ask(threadId, { id: "q1", content: "Один", parentId: null }));
    await eventsOf(await client.ask(threadId, { id: "q2", content: "Два" }));
    await eventsOf(await client.ask(threadId, { id: "q3", content: "Иначе", parentId: null }));
    const last = async () => (await client.messages(threadId)).at(-1)?.parentId;
    expect(await last()).toBe("q3");
    expect(await (await client.post(`threads/${threadId}/branch`, { messageId: "q1" })).json()).toEqual({});
    expect(await last()).toBe("q2");
    expect(await refusalOf(await client.post(`threads/${threadId}/branch`, { messageId: "nobody" }))).toBe(
      "422 unprocessable",
    );
  });
});
