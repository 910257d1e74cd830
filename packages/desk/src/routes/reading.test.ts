import { describe, expect, it } from "vitest";
import type { Attachment, Message, StreamEvent, Thread } from "@nitka/protocol";
import { allOf, createHeldModel, eventsOf, finish, refusalOf, threadOpener, wordsOf } from "@nitka/server/test-kit";
import { createScriptedModel, saying } from "@nitka/server/testing";
import { deskOf, openings, toolCall } from "../desk-client.contract.ts";
import type { RunPage } from "../run-figures.ts";
import type { RecordingReading } from "../recording.ts";

const { openHeld, openThread } = threadOpener();

describe("a conversation at the desk", () => {
  it("is read through the chat's API, and its opening is logged", async () => {
    const opened = await openThread();
    const { client, threadId } = opened;
    const upload = await client.upload(threadId, new File(["<script>"], "note.html", { type: "text/html" }));
    const attachment = (await upload.json()) as Attachment;
    await (await client.ask(threadId, { id: "q1", attachments: [attachment] })).text();
    const desk = await deskOf(opened);
    const base = `/conversations/${threadId}/-`;
    expect(await desk.get(`${base}/api/projects/desk/config`)).toEqual({
      apiBase: "./",
      attachments: false,
      feedbackUrl: false,
      features: { resume: false },
    });
    const [thread] = await client.threads();
    expect(await desk.get<readonly Thread[]>(`${base}/api/debug/threads`)).toEqual([thread]);
    expect(await desk.get(`${base}/api/debug/threads/${threadId}/messages`)).toEqual(await client.messages(threadId));
    expect((await desk.fetch(`${base}/api/debug/threads/${threadId}/run/stream`)).status).toBe(204);
    const file = await desk.fetch(`${base}/${attachment.url}`);
    expect(await file.text()).toBe("<script>");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(file.headers.get("content-security-policy")).toContain("sandbox");
    expect(openings(desk)).toEqual([
      ["an operator opened a conversation", { projectId: "default", threadId, address: "192.0.2.9" }],
      ["an operator opened a file", { projectId: "default", threadId, address: "192.0.2.9" }],
    ]);
  });

  it("accepts no changes", async () => {
    const opened = await openThread();
    const desk = await deskOf(opened);
    for (const path of ["", "/messages", "/run/stream", "/run/cancel", "/archive", "/rename"]) {
      const address = `/conversations/${opened.threadId}/-/api/debug/threads/${opened.threadId}${path}`;
      expect((await desk.fetch(address, { method: "POST", body: "{}" })).status).toBeGreaterThan(403);
    }
    expect(await opened.client.messages(opened.threadId)).toEqual([]);
  });

  it("shows the branch of the requested answer", async () => {
    const opened = await openThread();
    const { client, threadId } = opened;
    await (await client.ask(threadId, { id: "q1" })).text();
    const first = (await client.messages(threadId)).at(-1)?.id ?? "";
    await (await client.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" })).text();
    const desk = await deskOf(opened);
    const lastOf = async (answer: string) =>
      (await desk.get<readonly Message[]>(`/conversations/${threadId}/${answer}/api/debug/threads/x/messages`)).at(-1)
        ?.id;
    expect(await lastOf(first)).toBe(first);
    expect(await lastOf("-")).not.toBe(first);
  });

  it("hides what the project's visitors do not see", async () => {
    const model = createHeldModel();
    const opened = await openHeld(model, { project: { toolViews: { search: "hidden" } } });
    const { client, threadId } = opened;
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(...toolCall);
    finish(model);
    await asked.text();
    const desk = await deskOf(opened, { toolViews: { search: "hidden" } });
    const [run] = (await desk.get<RunPage>("/runs")).runs;
    const shown = async () => {
      for (const path of [
        `/conversations/${threadId}/-/api/debug/threads/x/messages`,
        `/replays/${run?.runId}/all/api/debug/threads/x/run/stream`,
        `/runs/${run?.runId}/recording/sse`,
        `/runs/${run?.runId}/recording/json`,
      ]) {
        const text = await (await desk.fetch(path)).text();
        expect([path, text.includes("Да"), /search|секрет|\bc1\b/.test(text)]).toEqual([path, true, false]);
      }
    };
    await shown();
    // Without its log an answer is replayed from the stored answer.
    await allOf(opened.storage.runs.forget(0));
    await shown();
  });

  it("is gone when its visitor has deleted it, or when its project is not in the settings", async () => {
    const opened = await openThread();
    const { client, threadId } = opened;
    await (await client.ask(threadId, { id: "q1" })).text();
    const path = `/conversations/${threadId}/-/api/debug/threads`;
    const others = await deskOf(opened, {}, { shop: { models: [] } });
    expect(await refusalOf(await others.fetch(path))).toBe("404 not_found");
    expect((await others.get<RunPage>("/runs")).runs).toEqual([]);
    const desk = await deskOf(opened);
    const [run] = (await desk.get<RunPage>("/runs")).runs;
    expect(await refusalOf(await others.fetch(`/runs/${run?.runId}`))).toBe("404 not_found");
    await client.post(`threads/${threadId}/archive`, {});
    expect(await refusalOf(await desk.fetch(path))).toBe("404 not_found");
    expect(await refusalOf(await desk.fetch(`/runs/${run?.runId}/recording/sse`))).toBe("404 not_found");
    const [deleted] = (await desk.get<RunPage>("/runs")).runs;
    expect([deleted?.isReadable, deleted?.title]).toEqual([false, undefined]);
  });
});

describe("a replayed answer", () => {
  it("streams the events that its visitor got, into the conversation up to its question", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const first = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.say(...toolCall);
    finish(model, "Раз");
    const streamed = await eventsOf(first);
    const parentId = (await client.messages(threadId)).at(-1)?.id ?? "";
    const second = await client.ask(threadId, { id: "q2", parentId });
    await model.asked(2);
    finish(model, "Два");
    await second.text();
    const desk = await deskOf(opened);
    const run = (await desk.get<RunPage>("/runs")).runs[1];
    const base = `/replays/${run?.runId}/all`;
    expect(await desk.get(`${base}/api/projects/desk/config`)).toMatchObject({ features: { resume: true } });
    const messages = await desk.get<readonly Message[]>(`${base}/api/debug/threads/${threadId}/messages`);
    expect(messages.map(({ id }) => id)).toEqual(["q1", parentId]);
    expect(messages[1]).toEqual({
      id: parentId,
      role: "assistant",
      content: [],
      parentId: "q1",
      status: { type: "running" },
    });
    const replayed = await eventsOf(await desk.fetch(`${base}/api/debug/threads/${threadId}/run/stream`));
    expect(replayed).toEqual(streamed);
    expect(openings(desk)).toEqual([
      ["an operator replayed an answer", { projectId: "default", threadId, runId: run?.runId, address: "192.0.2.9" }],
    ]);
  });

  it("is made from the stored answer after the log is dropped, with its text in pieces", async () => {
    const text = "Частнопредпринимательский ответ из нескольких десятков букв 🧵";
    const opened = await openThread({ model: createScriptedModel({ script: saying(text) }) });
    const { client, threadId, storage } = opened;
    await (await client.ask(threadId, { id: "q1" })).text();
    const answer = (await client.messages(threadId)).at(-1);
    await allOf(storage.runs.forget(0));
    const desk = await deskOf(opened);
    const [run] = (await desk.get<RunPage>("/runs")).runs;
    const stream = await desk.fetch(`/replays/${run?.runId}/all/api/debug/threads/${threadId}/run/stream`);
    const deltas = (await eventsOf(stream)).filter((event) => (event as StreamEvent).type === "text-delta");
    expect(deltas.length).toBeGreaterThan(2);
    expect(deltas.map((event) => (event as { readonly delta: string }).delta).join("")).toBe(text);
    const { message } = await desk.get<RecordingReading>(`/runs/${run?.runId}/recording/json`);
    expect(wordsOf(message.content)).toBe(wordsOf(answer?.content));
  });

  it("cannot be replayed while it is being written", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    const desk = await deskOf(opened);
    const [run] = (await desk.get<RunPage>("/runs?status=running")).runs;
    const refused = await desk.fetch(`/replays/${run?.runId}/all/api/debug/threads`);
    expect(await refusalOf(refused)).toBe("422 unprocessable");
    finish(model);
    await asked.text();
  });
});
