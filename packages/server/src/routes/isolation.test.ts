import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { Attachment } from "@nitka/protocol";
import { Client, eventsOf, greeter, refusalOf, serverOpener } from "../contract/server.contract.ts";

const open = serverOpener();
const secret = "the shop's and ours".padEnd(64, ".");

/** The owner's data, which a foreigner tries to reach. */
interface Goods {
  readonly threadId: string;
  readonly answerId: string;
  readonly attachmentId: string;
}

type Try = (foreigner: Client, goods: Goods, headers: Record<string, string>) => Promise<Response>;

const file = () => new File(["a"], "a.txt", { type: "text/plain" });
const form = () => {
  const made = new FormData();
  made.set("file", file());
  return made;
};
const question = { messages: [{ id: "q9", role: "user", content: "a" }] };

/** Every call that references data of a visitor. */
const calls: Readonly<Record<string, Try>> = {
  "GET messages": (client, { threadId }, headers) => client.get(`threads/${threadId}/messages`, headers),
  "POST rename": (client, { threadId }, headers) =>
    client.post(`threads/${threadId}/rename`, { title: "a" }, { headers }),
  "POST archive": (client, { threadId }, headers) => client.post(`threads/${threadId}/archive`, {}, { headers }),
  "POST restore": (client, { threadId }, headers) => client.post(`threads/${threadId}/restore`, {}, { headers }),
  "POST branch": (client, { threadId }, headers) =>
    client.post(`threads/${threadId}/branch`, { messageId: "q1" }, { headers }),
  "POST messages/{messageId}/feedback": (client, { threadId, answerId }, headers) =>
    client.post(`threads/${threadId}/messages/${answerId}/feedback`, { rating: "up" }, { headers }),
  "POST run/stream": (client, { threadId }, headers) =>
    client.post(`threads/${threadId}/run/stream`, question, { headers }),
  "POST run/stream again": (client, { threadId }, headers) =>
    client.post(`threads/${threadId}/run/stream`, { messages: [{ ...question.messages[0], id: "q1" }] }, { headers }),
  "GET run/stream": (client, { threadId }, headers) => client.get(`threads/${threadId}/run/stream`, headers),
  "POST run/tool": (client, { threadId }, headers) =>
    client.post(`threads/${threadId}/run/tool`, { toolCallId: "c1", output: 1 }, { headers }),
  "POST run/cancel": (client, { threadId }, headers) => client.post(`threads/${threadId}/run/cancel`, {}, { headers }),
  "POST attachments": (client, { threadId }, headers) =>
    client.fetch(`threads/${threadId}/attachments`, { method: "POST", body: form(), headers }),
  "GET attachment": (client, { attachmentId }, headers) => client.get(`attachments/${attachmentId}`, headers),
};

/** Every call that changes all data of a visitor. */
const wholes: Readonly<Record<string, Try>> = {
  "DELETE visitor": (client, _, headers) => client.fetch("visitor", { method: "DELETE", headers }),
  "POST visitor/claim": (client, _, headers) => client.post("visitor/claim", {}, { headers }),
};

const nothing: Goods = {
  threadId: "000000000000000000000000",
  answerId: "00000000",
  attachmentId: "000000000000000000000000",
};

async function openShop() {
  const project = { models: [greeter], secret, allowedOrigins: ["https://shop.example"] };
  const opened = await open({ projects: { default: project, shop: project } });
  const owner = await opened.visitor("shop");
  const threadId = await owner.newThread();
  await eventsOf(await owner.ask(threadId, { id: "q1" }));
  const { id } = (await (await owner.upload(threadId, file())).json()) as Attachment;
  const answerId = (await owner.messages(threadId)).at(-1)?.id ?? "";
  return { ...opened, owner, goods: { threadId, answerId, attachmentId: id } };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

function hostToken(claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ sub: "boris", exp: 4_000_000_000, ...claims })
    .setProtectedHeader({ alg: "HS256" })
    .sign(new TextEncoder().encode(secret));
}

async function ownToken(client: Client, projectId: string): Promise<string> {
  const config = (await (
    await client.get(`/api/projects/${projectId}/config`, { "sec-fetch-site": "cross-site" })
  ).json()) as {
    visitor: { token: string };
  };
  return config.visitor.token;
}

interface Foreigner {
  readonly client: Client;
  readonly headers?: Record<string, string>;
  readonly refusal: "404 not_found" | "401 unauthorized" | "403 forbidden_origin";
}

/** Everyone except the owner in the shop. */
const foreigners: Readonly<Record<string, (shop: Shop) => Promise<Foreigner>>> = {
  "another visitor": async ({ visitor }) => ({ client: await visitor("shop"), refusal: "404 not_found" }),
  "nobody yet": async ({ server }) => ({ client: new Client(server, "shop"), refusal: "404 not_found" }),
  "a forged cookie": async ({ server, owner }) => ({
    client: new Client(server, "shop", `${owner.cookie?.slice(0, -3)}abc`),
    refusal: "404 not_found",
  }),
  "the owner in another project": async ({ server, owner }) => ({
    client: new Client(server, "default", owner.cookie),
    refusal: "404 not_found",
  }),
  "a visitor whom the host names": async ({ server }) => ({
    client: new Client(server, "shop"),
    headers: { authorization: `Bearer ${await hostToken()}` },
    refusal: "404 not_found",
  }),
  "another visitor's token beside the owner's cookie": async ({ owner, visitor }) => ({
    client: owner,
    headers: { authorization: `Bearer ${await ownToken(await visitor("shop"), "shop")}` },
    refusal: "404 not_found",
  }),
  "the owner's token of another project": async ({ server, owner }) => ({
    client: new Client(server, "shop"),
    headers: { authorization: `Bearer ${await ownToken(owner, "default")}` },
    refusal: "401 unauthorized",
  }),
  "an expired token": async ({ owner }) => ({
    client: owner,
    headers: { authorization: `Bearer ${await hostToken({ exp: 1 })}` },
    refusal: "401 unauthorized",
  }),
};

describe.each(Object.entries(foreigners))("%s", (_, make) => {
  it.each(Object.entries(calls))("gets from %s the same response as for an unknown id", async (_name, call) => {
    const shop = await openShop();
    const before = await shop.owner.messages(shop.goods.threadId);
    const { client, headers = {}, refusal } = await make(shop);
    const foreign = await call(client, shop.goods, headers);
    const absent = await call(client, nothing, headers);
    expect([foreign.status, await foreign.text()]).toEqual([absent.status, await absent.clone().text()]);
    expect(await refusalOf(absent)).toBe(refusal);
    expect(await shop.owner.messages(shop.goods.threadId)).toEqual(before);
    expect(await shop.owner.threads()).toMatchObject([{ title: "Приветствие" }]);
  });

  it("gets an empty list", async () => {
    const shop = await openShop();
    const { client, headers = {}, refusal } = await make(shop);
    const response = await client.get("threads", headers);
    const seen = response.ok ? await response.json() : await refusalOf(response);
    expect(seen).toEqual(refusal === "404 not_found" ? [] : refusal);
  });
});

describe.each(Object.entries(foreigners))("%s, with all data of a visitor", (_, make) => {
  it.each(Object.entries(wholes))("gets none of the owner's data by %s", async (_name, call) => {
    const shop = await openShop();
    const before = await shop.owner.messages(shop.goods.threadId);
    const { cookie } = shop.owner;
    const { client, headers = {} } = await make(shop);
    await call(client, shop.goods, headers);
    shop.owner.cookie = cookie;
    expect(await shop.owner.messages(shop.goods.threadId)).toEqual(before);
    expect((await shop.owner.get(`attachments/${shop.goods.attachmentId}`)).status).toBe(200);
  });
});

describe("a page of another site, in the owner's browser", () => {
  const writes = Object.entries({ ...calls, ...wholes }).filter(([name]) => !name.startsWith("GET"));

  it.each(writes)("cannot change anything by %s", async (_, call) => {
    const { owner, goods } = await openShop();
    const response = await call(owner, goods, { origin: "https://evil.example" });
    expect(await refusalOf(response)).toBe("403 forbidden_origin");
  });
});

describe("the list of operations above", () => {
  it("contains every operation on a visitor's data", async () => {
    const { server } = await open();
    const document = (await (await new Client(server).get("/openapi.json")).json()) as {
      paths: Record<string, object>;
    };
    const named = Object.entries(document.paths)
      .filter(([path]) => path.startsWith("/api/debug") && path.includes("{"))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.split("{threadId}/")[1] ?? "attachment"}`),
      );
    expect(named.toSorted()).toEqual(
      Object.keys(calls)
        .filter((name) => !name.endsWith("again"))
        .toSorted(),
    );
  });
});
