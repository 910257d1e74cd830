import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { Client, ORIGIN, greeter, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import type { Opened } from "../contract/server.contract.ts";

const { open, openThread } = threadOpener();
const CONFIG = "/api/projects/default/config";
const SECRET = "what the host and we know";

async function tokenOf(client: Client): Promise<string> {
  const config = (await (await client.get(CONFIG, { "sec-fetch-site": "cross-site" })).json()) as {
    visitor: { token: string };
  };
  return config.visitor.token;
}

function withToken({ server }: Opened, token: string, projectId = "default") {
  const client = new Client(server, projectId);
  return { get: (path: string) => client.get(path, { authorization: `Bearer ${token}` }) };
}

function jwt(claims: Record<string, unknown>, options: { secret?: string; alg?: string } = {}): Promise<string> {
  const { secret = SECRET, alg = "HS256" } = options;
  return new SignJWT({ sub: "anna", exp: Math.floor(Date.now() / 1000) + 600, ...claims })
    .setProtectedHeader({ alg })
    .sign(new TextEncoder().encode(secret.padEnd(64, ".")))
    .then((token) => token);
}

const padded = SECRET.padEnd(64, ".");

describe("a visitor's cookie", () => {
  it("is set with the config and with a new thread, and by no other operation", async () => {
    const { server } = await open();
    const given = async (call: (client: Client) => Promise<Response>) =>
      (await call(new Client(server))).headers.has("set-cookie");
    expect({
      config: await given((client) => client.get("/api/projects/default/config")),
      create: await given((client) => client.post("threads", {})),
      list: await given((client) => client.get("threads")),
      messages: await given((client) => client.get("threads/abc/messages")),
      run: await given((client) => client.ask("abc", { id: "q1" })),
      archive: await given((client) => client.post("threads/abc/archive", {})),
    }).toEqual({ config: true, create: true, list: false, messages: false, run: false, archive: false });
  });

  it.each([
    ["of the same origin", {}, "HttpOnly; SameSite=Lax"],
    ["of the same site", { origin: "http://nitka.test:8080" }, "HttpOnly; SameSite=Lax"],
    ["of another site", { origin: "https://shop.example" }, "HttpOnly; SameSite=None; Secure; Partitioned"],
    [
      "that its browser calls cross-site",
      { "sec-fetch-site": "cross-site" },
      "HttpOnly; SameSite=None; Secure; Partitioned",
    ],
    ["behind a proxy that ends TLS", { "x-forwarded-proto": "https" }, "HttpOnly; SameSite=Lax; Secure"],
  ])("suits a page %s", async (_, headers, attributes) => {
    const { server } = await open({ trustedProxies: 1, project: { allowedOrigins: ["https://shop.example"] } });
    const response = await new Client(server).get("/api/projects/default/config", headers);
    expect(response.headers.get("set-cookie")).toMatch(/^(__Host-)?nitka_visitor=[\w.-]+; Path=\/; Max-Age=34560000; /);
    expect(response.headers.get("set-cookie")?.split("34560000; ")[1]).toBe(attributes);
  });

  it("identifies a visitor who comes again", async () => {
    const { visitor } = await open();
    const client = await visitor();
    const before = client.cookie;
    const threadId = await client.newThread();
    await client.get("/api/projects/default/config");
    expect(client.cookie).toBe(before);
    expect((await client.threads()).map((thread) => thread.threadId)).toEqual([threadId]);
  });

  it("is ignored when it is forged", async () => {
    const { server, visitor } = await open();
    const client = await visitor();
    await client.newThread();
    for (const forged of [
      client.cookie?.slice(0, -2),
      `${client.cookie}x`,
      client.cookie?.replace("=", "=a"),
      "nitka_visitor=a.b",
    ]) {
      const foreigner = new Client(server, "default", forged);
      expect(await (await foreigner.get("threads")).json()).toEqual([]);
    }
  });

  it("is found beside other cookies, and beside an invalid one of the same name", async () => {
    const { client, threadId, server } = await openThread();
    const same = new Client(server, "default", `theme=dark; nitka_visitor=old; ${client.cookie}; x=y=z`);
    expect((await same.threads()).map((thread) => thread.threadId)).toEqual([threadId]);
  });
});

describe("the config's token", () => {
  it("replaces the cookie", async () => {
    const opened = await open();
    const client = await opened.visitor();
    const threadId = await client.newThread();
    const response = await withToken(opened, await tokenOf(client)).get("threads");
    expect(await response.json()).toEqual([{ threadId, updatedAt: expect.any(String) }]);
  });

  it("takes precedence over a cookie", async () => {
    const opened = await open();
    const [anna, boris] = [await opened.visitor(), await opened.visitor()];
    await anna.newThread();
    const response = await anna.get("threads", { authorization: `Bearer ${await tokenOf(boris)}` });
    expect(await response.json()).toEqual([]);
  });

  it("is refused when it is invalid, has expired, or is of another project", async () => {
    let now = Date.UTC(2026, 10, 21);
    const projects = { default: { models: [greeter] }, shop: { models: [greeter] } };
    const opened = await open({ projects, clock: () => new Date(now) });
    const token = await tokenOf(await opened.visitor());
    const ask = async (given: string, projectId = "default") =>
      refusalOf(await withToken(opened, given, projectId).get("threads"));
    expect(await ask(token, "shop")).toBe("401 unauthorized");
    expect(await ask(token.slice(0, -1))).toBe("401 unauthorized");
    expect(await ask("nitka1.x")).toBe("401 unauthorized");
    expect(await ask("")).toBe("401 unauthorized");
    expect(await ask("garbage")).toBe("401 unauthorized");
    now += 31 * 24 * 3600 * 1000;
    expect(await ask(token)).toBe("401 unauthorized");
  });

  it("is not read from another authorization scheme", async () => {
    const { client, threadId } = await openThread();
    const response = await client.get("threads", { authorization: "Basic c3RhZ2luZzpzZWNyZXQ=" });
    expect(await response.json()).toEqual([{ threadId, updatedAt: expect.any(String) }]);
  });
});

describe("the host's own token", () => {
  const project = { secret: padded };

  it("identifies the same visitor on every device, and sets no cookie", async () => {
    const opened = await open({ project });
    const phone = new Client(opened.server);
    const created = await phone.post("threads", {}, { headers: { authorization: `Bearer ${await jwt({})}` } });
    expect(created.headers.has("set-cookie")).toBe(false);
    const config = await phone.get("/api/projects/default/config", { authorization: `Bearer ${await jwt({})}` });
    expect(config.headers.has("set-cookie")).toBe(false);
    expect(((await config.json()) as { visitor: object }).visitor).toEqual({ named: expect.stringMatching(/./) });
    const laptop = await withToken(opened, await jwt({ aud: "default", exp: 4_000_000_000 })).get("threads");
    expect(await laptop.json()).toEqual([await created.json()]);
    expect(await (await withToken(opened, await jwt({ sub: "boris" })).get("threads")).json()).toEqual([]);
  });

  it("gives no access to the threads of a visitor with a cookie", async () => {
    const opened = await open({ project });
    const client = await opened.visitor();
    await client.newThread();
    const id = client.cookie?.split("=")[1]?.split(".")[0] ?? "";
    expect(await (await withToken(opened, await jwt({ sub: id })).get("threads")).json()).toEqual([]);
  });

  it.each([
    ["of another secret", () => jwt({}, { secret: "another" })],
    ["that has expired", () => jwt({ exp: Math.floor(Date.now() / 1000) - 1 })],
    ["that never expires", () => jwt({ exp: undefined })],
    ["that names nobody", () => jwt({ sub: undefined })],
    ["that names an empty text", () => jwt({ sub: "" })],
    ["that names a number", () => jwt({ sub: 7 })],
    ["that names what no database keeps", () => jwt({ sub: "a\0b" })],
    ["of another project", () => jwt({ aud: "shop" })],
    ["of other projects", () => jwt({ aud: ["shop", "blog"] })],
    ["that is not valid yet", () => jwt({ nbf: Math.floor(Date.now() / 1000) + 600 })],
    ["of another algorithm", () => jwt({}, { alg: "HS512" })],
    ["without a signature", async () => `${btoa('{"alg":"none"}')}.${btoa('{"sub":"anna","exp":4000000000}')}.`],
  ])("is refused: one %s", async (_, make) => {
    const opened = await open({ project });
    expect(await refusalOf(await withToken(opened, await make()).get("threads"))).toBe("401 unauthorized");
  });

  it("is accepted for one of several projects, and refused in a project without a secret", async () => {
    const opened = await open({
      projects: { default: { models: [greeter], secret: padded }, shop: { models: [greeter] } },
    });
    const token = await jwt({ aud: ["shop", "default"] });
    expect((await withToken(opened, token).get("threads")).status).toBe(200);
    expect(await refusalOf(await withToken(opened, token, "shop").get("threads"))).toBe("401 unauthorized");
  });
});

describe("a request without a credential", () => {
  it("comes from a new visitor, who has no threads", async () => {
    const { server, visitor } = await open();
    const threadId = await (await visitor()).newThread();
    const newcomer = new Client(server);
    expect(await (await newcomer.get("threads")).json()).toEqual([]);
    expect(await refusalOf(await newcomer.get(`threads/${threadId}/messages`))).toBe("404 not_found");
  });
});

describe("CORS", () => {
  const shop = "https://shop.example";
  const project = { allowedOrigins: [`${shop}/`] };
  const cors = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control") || name === "vary"));

  it("allows a page of an allowed origin, by its exact origin and with its cookie", async () => {
    const { server } = await open({ project });
    const response = await new Client(server).get("threads", { origin: shop });
    expect(cors(response)).toEqual({
      vary: "Origin",
      "access-control-allow-origin": shop,
      "access-control-allow-credentials": "true",
      "access-control-expose-headers": "retry-after, x-request-id, x-vercel-ai-ui-message-stream",
    });
  });

  it("gives a page of another origin no header except Vary", async () => {
    const { server } = await open({ project });
    for (const origin of [
      "https://evil.example",
      "http://shop.example",
      "https://shop.example.evil",
      "https://shop.example:444",
      "null",
    ]) {
      expect(cors(await new Client(server).get("threads", { origin }))).toEqual({ vary: "Origin" });
      const preflight = await new Client(server).fetch("threads", { method: "OPTIONS", headers: { origin } });
      expect({ status: preflight.status, ...cors(preflight) }).toEqual({ status: 204, vary: "Origin" });
    }
  });

  it("answers a preflight for everything that the widget sends", async () => {
    const { server } = await open({ project });
    const response = await new Client(server).fetch("threads/abc/run/stream", {
      method: "OPTIONS",
      headers: { origin: shop, "access-control-request-method": "POST" },
    });
    expect({ status: response.status, ...cors(response) }).toMatchObject({
      status: 204,
      "access-control-allow-origin": shop,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "OPTIONS, POST, GET, HEAD",
      "access-control-allow-headers": "accept, authorization, cache-control, content-type, last-event-id",
    });
  });

  it("has its headers on errors too", async () => {
    const { server } = await open({ project });
    const response = await new Client(server).get("threads/abc/messages", { origin: shop });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([404, shop]);
  });
});

describe("a write", () => {
  it.each([
    ["of no page", {}, 200],
    ["of our own origin", { origin: ORIGIN }, 200],
    ["of our own origin behind a proxy that ends TLS", { origin: "https://nitka.test" }, 200],
    [
      "that its browser calls one of the same origin",
      { origin: "https://chat.example", "sec-fetch-site": "same-origin" },
      200,
    ],
    ["of an allowed origin", { origin: "https://shop.example", "sec-fetch-site": "cross-site" }, 200],
    ["of another origin", { origin: "https://evil.example" }, 403],
    ["of a page that hides its origin", { origin: "null" }, 403],
    ["of another site without an origin", { "sec-fetch-site": "cross-site" }, 403],
  ])("%s", async (_, headers, status) => {
    const { server } = await open({ project: { allowedOrigins: ["https://shop.example"] } });
    expect((await new Client(server).post("threads", {}, { headers })).status).toBe(status);
  });

  it("from an HTML form, which any site can send, is refused", async () => {
    const { server } = await open();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      const response = await new Client(server).post("threads", {}, { headers: { "content-type": type } });
      expect(await refusalOf(response)).toBe("415 unsupported_media_type");
    }
  });
});
