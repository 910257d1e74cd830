import { expect, it } from "vitest";
import { Client, eventsOf, greeter, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { Model } from "../model/model.ts";
import { visitorExport } from "../services/threads/visitor-export.ts";

const { open, openThread } = threadOpener();

const consent = { text: "Согласен на обработку персональных данных", url: "/privacy", version: "2026-11" };
const file = () => new File(["секрет"], "тайна.txt", { type: "text/plain" });

/** A project with a consent, and a thread of a visitor who has not accepted it. */
async function opened() {
  const { server, storage, visitor } = await open({ project: { config: { consent } } });
  const client = await visitor();
  return { server, storage, visitor, client, threadId: await client.newThread() };
}

it("a consent is in the config, with its feature", async () => {
  const { client } = await opened();
  const config = (await (await client.get("/api/projects/default/config")).json()) as {
    readonly consent: unknown;
    readonly features: { readonly consent: unknown };
  };
  expect([config.consent, config.features.consent]).toEqual([consent, true]);
});

it("a consent blocks every question, regeneration and file of a visitor who has not accepted the current version", async () => {
  const { server, storage, client, visitor, threadId } = await opened();
  const refusals = async () => [
    await refusalOf(await client.ask(threadId, { id: "q1" })),
    await refusalOf(await client.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" })),
    await refusalOf(await client.ask(threadId, { id: "q2", attachments: [] }, {}, "?cursor=1")),
    await refusalOf(await client.upload(threadId, file())),
  ];
  const all = Array.from({ length: 4 }, () => "403 consent_required");
  expect(await refusals()).toEqual(all);
  expect(await client.messages(threadId)).toEqual([]);

  expect(await refusalOf(await client.post("visitor/consent", { version: "2025-01" }))).toBe("422 unprocessable");
  expect(await refusalOf(await client.post("visitor/consent", {}))).toBe("422 unprocessable");
  expect(await refusalOf(await new Client(server).post("visitor/consent", { version: "2026-11" }))).toBe(
    "401 unauthorized",
  );
  expect(await refusals()).toEqual(all);

  const agreed = await client.post("visitor/consent", { version: "2026-11" });
  expect([agreed.status, await agreed.text()]).toEqual([204, ""]);
  expect((await client.upload(threadId, file())).status).toBe(200);
  await eventsOf(await client.ask(threadId, { id: "q1" }));
  expect(await client.messages(threadId)).toHaveLength(2);

  // Another visitor has not accepted it, and a new version asks again.
  const other = await visitor();
  expect(await refusalOf(await other.ask(await other.newThread(), { id: "q1" }))).toBe("403 consent_required");
  server.replaceProjects({ default: { models: [greeter], config: { consent: { ...consent, version: "2027-01" } } } });
  expect(await refusals()).toEqual(all);
  expect((await client.post("visitor/consent", { version: "2027-01" })).status).toBe(204);
  await eventsOf(await client.ask(threadId, { id: "q1" }, { trigger: "regenerate-message" }));

  const owner = { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
  let text = "";
  for await (const piece of visitorExport(storage, owner)) text += piece;
  const exported = JSON.parse(text) as {
    readonly consents: unknown;
  };
  expect(exported.consents).toEqual([
    { version: "2026-11", at: expect.stringMatching(/^20\d\d-.*Z$/) as string },
    { version: "2027-01", at: expect.stringMatching(/^20\d\d-.*Z$/) as string },
  ]);
});

it("refuses each of 20 requests in which a custom client sends a visitor's text or file, and asks no model", async () => {
  let asked = 0;
  const model: Model = {
    ...greeter,
    run(options) {
      asked += 1;
      return greeter.run(options);
    },
  };
  const { client, threadId, server, storage, visitor } = await openThread({ model, project: { config: { consent } } });
  const other = await client.newThread();
  const data = `data:text/plain;base64,${Buffer.from("тайна").toString("base64")}`;
  const attachment = {
    id: "f1",
    type: "file",
    name: "тайна.txt",
    contentType: "text/plain",
    size: 10,
    url: data,
  } as const;
  const tool = { name: "look", description: "Looks", parameters: { type: "object" } };
  const ask = (question: object, more: object = {}, query = "", headers: Record<string, string> = {}) =>
    client.post(
      `threads/${threadId}/run/stream${query}`,
      { messages: [{ id: "q1", role: "user", content: "тайна", ...question }], ...more },
      { headers },
    );
  const upload = (name: string, type: string, to = threadId) => client.upload(to, new File(["тайна"], name, { type }));
  const ways: readonly (readonly [string, () => Promise<Response>])[] = [
    ["a question", () => ask({})],
    ["in another thread", () => client.ask(other, { id: "q2", content: "тайна" })],
    ["in parts", () => ask({ content: [{ type: "text", text: "тайна" }] })],
    ["that can be rejoined", () => ask({}, {}, "?cursor=1")],
    ["with its trigger named", () => ask({}, { trigger: "submit-message" })],
    ["again, for another answer", () => ask({}, { trigger: "regenerate-message" })],
    ["of a model", () => ask({}, { model: model.id })],
    ["at the root", () => ask({ parentId: null })],
    ["with the page's context", () => ask({}, { pageContext: "тайна" })],
    ["with tools of a page", () => ask({}, { tools: [tool] })],
    ["with a file in the message", () => ask({ attachments: [attachment] })],
    ["with nothing but a file", () => ask({ content: "", attachments: [attachment] })],
    ["with a picture as a part", () => ask({ content: [{ type: "image", image: "data:image/png;base64,aaaa" }] })],
    ["with a file as a part", () => ask({ content: [{ type: "file", data, mimeType: "text/plain" }] })],
    ["with sound as a part", () => ask({ content: [{ type: "audio", audio: { data: "aaaa", format: "mp3" } }] })],
    ["that rejoins nothing", () => ask({}, {}, "", { "last-event-id": "run:1" })],
    ["a text file", () => upload("тайна.txt", "text/plain")],
    ["a picture", () => upload("тайна.png", "image/png")],
    ["a file in another thread", () => upload("тайна.txt", "text/plain", other)],
    ["a file without a type", () => upload("тайна", "")],
  ];
  const refused = async () => Promise.all(ways.map(async ([way, act]) => [way, await refusalOf(await act())]));
  const all = ways.map(([way]) => [way, "403 consent_required"]);
  expect(all).toHaveLength(20);
  expect(await refused()).toEqual(all);
  // Neither the consent to an older version nor another visitor's counts.
  await (await visitor()).post("visitor/consent", { version: consent.version });
  server.replaceProjects({ default: { models: [model], config: { consent: { ...consent, version: "2027-01" } } } });
  expect(await refused()).toEqual(all);
  expect([asked, await client.messages(threadId), await client.messages(other)]).toEqual([0, [], []]);
  let exported = "";
  const owner = { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
  for await (const piece of visitorExport(storage, owner)) exported += piece;
  expect(exported).not.toContain("тайна");
});

it("a consent is forgotten with the visitor, and required for nothing else", async () => {
  const { client, threadId } = await opened();
  expect((await client.get("threads")).status).toBe(200);
  expect((await client.post(`threads/${threadId}/rename`, { title: "Заказ" })).status).toBe(200);
  expect((await client.post(`threads/${threadId}/archive`, {})).status).toBe(200);
  const { cookie } = client;
  await client.post("visitor/consent", { version: "2026-11" });
  await client.fetch("visitor", { method: "DELETE" });
  client.cookie = cookie;
  expect(await refusalOf(await client.ask(await client.newThread(), { id: "q1" }))).toBe("403 consent_required");
});

it("accepting a consent is 422 when the project has none", async () => {
  const { visitor } = await open();
  const client = await visitor();
  expect(await refusalOf(await client.post("visitor/consent", { version: "1" }))).toBe("422 unprocessable");
});
