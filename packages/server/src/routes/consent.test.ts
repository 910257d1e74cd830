import { expect, it } from "vitest";
import { Client, eventsOf, greeter, refusalOf, serverOpener } from "../contract/server.contract.ts";
import { visitorExport } from "../services/threads/visitor-export.ts";

const open = serverOpener();

const consent = { text: "Согласен на обработку персональных данных", url: "/privacy", version: "2026-11" };
const file = () => new File(["секрет"], "тайна.txt", { type: "text/plain" });

/** A project that asks for consent, with a thread of a visitor who has not agreed. */
async function opened() {
  const { server, storage, visitor } = await open({ project: { config: { consent } } });
  const client = await visitor();
  return { server, storage, visitor, client, threadId: await client.newThread() };
}

it("is in the config, with its feature", async () => {
  const { client } = await opened();
  const config = (await (await client.get("/api/projects/default/config")).json()) as {
    readonly consent: unknown;
    readonly features: { readonly consent: unknown };
  };
  expect([config.consent, config.features.consent]).toEqual([consent, true]);
});

it("lets no question, no regeneration and no file of a visitor pass who has not agreed to the current version", async () => {
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

  // Another visitor has not agreed, and another version asks again.
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

it("is forgotten with the visitor, and needed by nothing else", async () => {
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

it("is 422 where the project asks for none", async () => {
  const { visitor } = await open();
  const client = await visitor();
  expect(await refusalOf(await client.post("visitor/consent", { version: "1" }))).toBe("422 unprocessable");
});
