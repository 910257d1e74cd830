import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { Attachment, ServerConfig } from "@nitka/protocol";
import { eventually } from "../test-waits/eventually.contract.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { Client, eventsOf, greeter, refusalOf, serverOpener, tap } from "../contract/server.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { finish, wordsOf } from "../contract/thread.contract.ts";
import { exportOf } from "../storage/contract/fixture.contract.ts";

const open = serverOpener();
const secret = "the shop's and ours".padEnd(64, ".");

async function openShop(options: OpenOptions = {}) {
  const { model = greeter, ...rest } = options;
  const project = { models: [model], secret, allowedOrigins: ["https://shop.example"] };
  return open({ ...rest, projects: { default: project, shop: project } });
}

async function bearer(claims: Record<string, unknown> = {}): Promise<Record<string, string>> {
  const token = await new SignJWT({ sub: "boris", exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
  return { authorization: `Bearer ${token}` };
}

async function configOf(client: Client, projectId: string): Promise<ServerConfig> {
  return (await (
    await client.get(`/api/projects/${projectId}/config`, { "sec-fetch-site": "cross-site" })
  ).json()) as ServerConfig;
}

const file = () => new File(["a"], "a.txt", { type: "text/plain" });
const erase = (client: Client, headers: Record<string, string> = {}) =>
  client.fetch("visitor", { method: "DELETE", headers });
const claim = async (client: Client, body: object = {}, claims: Record<string, unknown> = {}) =>
  client.post("visitor/claim", body, { headers: await bearer(claims) });

describe("erasing a visitor", () => {
  it("deletes all threads and files, cancels runs, and deletes the cookie", async () => {
    const model = createHeldModel();
    const { visitor, storage } = await openShop({ model });
    const client = await visitor("shop");
    const boris = await visitor("shop");
    await boris.newThread();
    const [threadId, archived] = [await client.newThread(), await client.newThread()];
    const { id } = (await (await client.upload(threadId, file())).json()) as Attachment;
    await client.post(`threads/${archived}/archive`, {});
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await model.asked(1);
    model.write("Нача");
    const { cookie } = client;
    const owner = { projectId: "shop", visitorId: cookie?.split("=")[1]?.split(".")[0] ?? "" };
    const response = await erase(client);
    expect([response.status, await response.text(), response.headers.getSetCookie()]).toEqual([
      204,
      "",
      ["nitka_visitor=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"],
    ]);
    await stream.done;
    expect(stream.text()).toContain('{"type":"abort","reason":"cancelled"}');
    client.cookie = cookie;
    expect(await client.threads()).toEqual([]);
    expect((await client.get(`attachments/${id}`)).status).toBe(404);
    expect((await exportOf(storage, owner)).threads).toEqual([]);
    expect(await boris.threads()).toHaveLength(1);
  });

  it("deletes the partitioned cookie of a page of another site", async () => {
    const { visitor } = await openShop();
    const client = await visitor("shop");
    const response = await erase(client, { origin: "https://shop.example", "sec-fetch-site": "cross-site" });
    expect(response.headers.getSetCookie()).toEqual([
      "nitka_visitor=; Path=/; Max-Age=0; HttpOnly; SameSite=None; Secure; Partitioned",
    ]);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  });

  it("of an identified visitor does not erase the anonymous visitor of the same browser", async () => {
    const { visitor } = await openShop();
    const client = await visitor("shop");
    await client.newThread();
    const headers = await bearer();
    await client.post("threads", {}, { headers });
    const response = await erase(client, headers);
    expect([response.status, response.headers.getSetCookie()]).toEqual([204, []]);
    expect(await (await client.get("threads", headers)).json()).toEqual([]);
    expect(await client.threads()).toHaveLength(1);
  });

  it("does nothing for a new visitor, and may be repeated", async () => {
    const { server, visitor } = await openShop();
    const newcomer = await erase(new Client(server, "shop"));
    expect([newcomer.status, newcomer.headers.getSetCookie()]).toEqual([204, []]);
    const client = await visitor("shop");
    const { cookie } = client;
    await erase(client);
    client.cookie = cookie;
    expect((await erase(client)).status).toBe(204);
  });

  it("is refused to a page of a foreign origin, and allowed to one of an allowed origin", async () => {
    const { visitor, server } = await openShop();
    const client = await visitor("shop");
    await client.newThread();
    expect(await refusalOf(await erase(client, { origin: "https://evil.example" }))).toBe("403 forbidden_origin");
    expect(await client.threads()).toHaveLength(1);
    const preflight = await new Client(server, "shop").fetch("visitor", {
      method: "OPTIONS",
      headers: { origin: "https://shop.example", "access-control-request-method": "DELETE" },
    });
    expect(preflight.headers.get("access-control-allow-methods")).toBe("OPTIONS, DELETE");
  });
});

describe("claiming an anonymous visitor's threads", () => {
  it("moves them to the identified visitor, once", async () => {
    const { visitor } = await openShop();
    const client = await visitor("shop");
    const threadId = await client.newThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const { id } = (await (await client.upload(threadId, file())).json()) as Attachment;
    const claimed = await claim(client);
    expect([claimed.status, await claimed.json(), claimed.headers.getSetCookie()]).toEqual([200, { threads: 1 }, []]);
    expect(await client.threads()).toEqual([]);
    const headers = await bearer();
    expect(await (await client.get("threads", headers)).json()).toMatchObject([{ threadId, title: "Приветствие" }]);
    expect((await client.get(`attachments/${id}`, headers)).status).toBe(200);
    expect(await (await claim(client)).json()).toEqual({ threads: 0 });
    expect(await (await claim(client, {}, { sub: "carla" })).json()).toEqual({ threads: 0 });
  });

  it("accepts the config's token instead of the cookie, only in its own project", async () => {
    const { visitor, server } = await openShop();
    const client = await visitor("shop");
    await client.newThread();
    const { visitor: mine } = await configOf(client, "shop");
    const { visitor: elsewhere } = await configOf(client, "default");
    const bare = new Client(server, "shop");
    expect(await refusalOf(await claim(bare, { token: elsewhere?.token }))).toBe("422 unprocessable");
    expect(await (await claim(bare)).json()).toEqual({ threads: 0 });
    expect(await (await claim(bare, { token: mine?.token })).json()).toEqual({ threads: 1 });
  });

  it("is for identified visitors, and takes nothing from another identified visitor", async () => {
    const { visitor } = await openShop();
    const client = await visitor("shop");
    await client.newThread();
    await client.post("threads", {}, { headers: await bearer() });
    const { visitor: mine } = await configOf(client, "shop");
    const byCookie = await client.post("visitor/claim", {});
    const byToken = await client.post("visitor/claim", {}, { headers: { authorization: `Bearer ${mine?.token}` } });
    expect([await refusalOf(byCookie), await refusalOf(byToken)]).toEqual(["401 unauthorized", "401 unauthorized"]);
    const borisToken = (await bearer())["authorization"]?.slice("Bearer ".length);
    expect(await refusalOf(await claim(client, { token: borisToken }, { sub: "carla" }))).toBe("422 unprocessable");
    expect(await (await client.get("threads", await bearer())).json()).toHaveLength(1);
    expect(await client.threads()).toHaveLength(1);
  });

  it("moves a running answer too: its readers get its end, and its new owner can cancel the next one", async () => {
    const model = createHeldModel({ title: async () => "Название" });
    const { visitor } = await openShop({ model });
    const client = await visitor("shop");
    const threadId = await client.newThread();
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    await claim(client);
    const headers = await bearer();
    const joined = await client.join(threadId, "", headers);
    expect((await client.join(threadId)).status).toBe(404);
    finish(model, "Ответ");
    expect((await eventsOf(asked)).slice(-2)).toEqual([{ type: "finish", finishReason: "stop" }, "[DONE]"]);
    expect((await eventsOf(joined)).at(-1)).toBe("[DONE]");
    const messages = (await (await client.get(`threads/${threadId}/messages`, headers)).json()) as { content: [] }[];
    expect(wordsOf(messages.at(-1)?.content)).toBe("Ответ");
    expect(await (await client.get("threads", headers)).json()).toMatchObject([{ title: "Название" }]);
    void client.post(
      `threads/${threadId}/run/stream`,
      { messages: [{ id: "q2", role: "user", content: "Да" }] },
      { headers },
    );
    await model.asked(2);
    await eventually(async () =>
      expect(await (await client.post(`threads/${threadId}/run/cancel`, {}, { headers })).json()).toEqual({
        cancelled: true,
      }),
    );
  });
});

it("both are among the config's features when a project supports them", async () => {
  const { server } = await open({ projects: { default: { models: [greeter] }, shop: { models: [greeter], secret } } });
  expect((await configOf(new Client(server), "default")).features).toMatchObject({ erase: true, claim: false });
  expect((await configOf(new Client(server, "shop"), "shop")).features).toMatchObject({ erase: true, claim: true });
});
