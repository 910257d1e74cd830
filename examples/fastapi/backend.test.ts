import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findPython } from "../../scripts/find-python.mjs";
import { startPython } from "../start-python.ts";
import type { PythonServer } from "../start-python.ts";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const secret = "the secret of the site and of its chat";
const folder = mkdtempSync(join(tmpdir(), "nitka-python-backend-"));
const env = { ORIGINS: "https://shop.example", SHOP_CHAT_SECRET: secret, CHAT_DB: join(folder, "chat.db") };

let backend: PythonServer;
beforeAll(async () => {
  backend = await startPython("fastapi", "backend:app", env);
});
afterAll(() => {
  backend?.stop();
  rmSync(folder, { recursive: true });
});

interface Stored {
  readonly id: string;
  readonly role: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly attachments?: readonly unknown[];
  readonly status?: { readonly type: string; readonly reason?: string };
}

/** A visitor's credential: the cookie that a new browser gets, or a token of the site. */
type Credential = { readonly cookie: string } | { readonly authorization: string };

async function newBrowser(): Promise<{ readonly cookie: string }> {
  const config = await fetch(new URL("api/projects/default/config", backend.url));
  return { cookie: config.headers.get("set-cookie")?.split(";", 1)[0] ?? "" };
}

/** A JWT with HS256. */
function tokenOf(claims: object, key = secret): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256" })}.${part({ aud: "shop", exp, ...claims })}`;
  return `${signed}.${createHmac("sha256", key).update(signed).digest("base64url")}`;
}

const userOf = (sub: string) => ({ authorization: `Bearer ${tokenOf({ sub })}` });

function send(credential: object, path: string, body?: unknown, more: RequestInit = {}): Promise<Response> {
  return fetch(new URL(`api/debug/${path}`, backend.url), {
    headers: { ...credential, "content-type": "application/json" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    ...more,
  });
}

/** Creates a visitor's thread, asks in it, and lists the stored messages. */
async function newThread(credential?: Credential) {
  const visitor = credential ?? (await newBrowser());
  const { threadId } = (await (await send(visitor, "threads", {})).json()) as { threadId: string };
  return {
    threadId,
    ask: async (question: object, more: object = {}, signal?: AbortSignal) => {
      const body = { messages: [{ role: "user", ...question }], ...more };
      return send(visitor, `threads/${threadId}/run/stream`, body, signal && { signal });
    },
    stored: async () => (await (await send(visitor, `threads/${threadId}/messages`)).json()) as readonly Stored[],
  };
}

async function threadsOf(visitor: object): Promise<readonly string[]> {
  const listed = (await (await send(visitor, "threads")).json()) as readonly { readonly threadId: string }[];
  return listed.map(({ threadId }) => threadId);
}

/** A command of the operator. */
async function operate(command: string, what: string, database = env.CHAT_DB): Promise<string> {
  const settings = { env: { ...process.env, CHAT_DB: database } };
  const { stdout } = await run(await findPython(), ["-B", path("database.py"), command, what], settings);
  return stdout;
}

it("nitka conformance finds nothing that fails and has no advice, also for a page of another origin and a user of the site", async () => {
  const check = async (...options: readonly string[]) => {
    const nitka = path("../../apps/nitka/bin/nitka.mjs");
    const { stdout } = await run(process.execPath, [nitka, "conformance", backend.url, "--json", ...options]);
    const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly { readonly status: string }[] };
    expect(outcomes.filter(({ status }) => status === "fails" || status === "advised")).toEqual([]);
    expect(outcomes.filter(({ status }) => status === "holds").length).toBeGreaterThan(30);
  };
  await Promise.all([
    check("--page", "https://shop.example"),
    check("--page", "https://shop.example", "--token", tokenOf({ sub: "conformance" })),
  ]);
});

it("keeps a question once, whatever comes again, and its files as they came", async () => {
  const { ask, stored } = await newThread();
  const file = { id: "f1", name: "dot.png", contentType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=" };
  const question = { id: "q1", content: "Что это?", parentId: null, attachments: [file] };
  const first = await (await ask(question)).text();
  expect(first).toContain("Файлов: ");
  expect(first).toMatch(/"title": "Что это\?"[^]*"finish"[^]*\[DONE\]\n\n$/);
  const replayed = await (await ask(question)).text();
  await (await ask(question, { trigger: "regenerate-message" })).text();
  const [asked, one, two, ...more] = await stored();
  expect(more).toEqual([]);
  expect(asked).toMatchObject({ ...question, role: "user" });
  expect([one, two]).toMatchObject([
    { role: "assistant", parentId: "q1" },
    { role: "assistant", parentId: "q1" },
  ]);
  expect(replayed).toContain(`"messageId": "${one?.id}"`);
});

it("keeps what an answer came to when its reader leaves, and answers the next question", async () => {
  const { ask, stored } = await newThread();
  const gone = new AbortController();
  const stopped = await ask({ id: "q1", content: "Расскажи", parentId: null }, {}, gone.signal);
  const reader = stopped.body?.getReader();
  for (let text = ""; !text.includes("text-delta"); text += new TextDecoder().decode((await reader?.read())?.value));
  expect((await ask({ id: "q2", content: "И ещё" })).status).toBe(409);
  gone.abort();
  await expect.poll(async () => (await stored())[1]?.status).toEqual({ type: "incomplete", reason: "cancelled" });
  expect((await stored())[1]?.content).toMatch(/^Вы/);
  expect(await (await ask({ id: "q2", content: "И ещё" })).text()).toContain("[DONE]");
});

it("a user of the site has the same threads in each browser, and takes those along that this one had before", async () => {
  const browser = await newBrowser();
  const before = await newThread(browser);
  await (await before.ask({ id: "q1", content: "Вы открыты?" })).text();
  const claimed = await send({ ...browser, ...userOf("41") }, "visitor/claim", {});
  expect(await claimed.json()).toEqual({ threads: 1 });
  const { threadId } = await newThread(userOf("41"));
  expect(await threadsOf(userOf("41"))).toEqual([threadId, before.threadId]);
  expect([await threadsOf(browser), await threadsOf(userOf("4")), await threadsOf(await newBrowser())]).toEqual([
    [],
    [],
    [],
  ]);
  const ofAnother = await send(userOf("4"), `threads/${before.threadId}/messages`);
  expect(ofAnother.status).toBe(404);
});

it("refuses tokens that the site has not signed for this chat, with the reason", async () => {
  const refusals = [
    tokenOf({ sub: "41" }, "another secret of another site"),
    tokenOf({ sub: "41", exp: 1 }),
    tokenOf({ sub: "41", exp: undefined }),
    tokenOf({ sub: "41", aud: "orders" }),
    tokenOf({}),
    "none",
  ].map(async (token) => {
    const refused = await send({ authorization: `Bearer ${token}` }, "threads");
    const { error } = (await refused.json()) as { readonly error: { readonly code: string; readonly message: string } };
    return [refused.status, error.code, /^The visitor's token is not accepted: .+/.test(error.message)];
  });
  expect(await Promise.all(refusals)).toEqual(refusals.map(() => [401, "unauthorized", true]));
});

it("keeps everything over a restart, and without a secret knows no user", async () => {
  const browser = await newBrowser();
  const { ask, stored } = await newThread(browser);
  await (await ask({ id: "q1", content: "Что это?" })).text();
  const messages = await stored();
  expect(messages).toHaveLength(2);
  backend.stop();
  backend = await startPython("fastapi", "backend:app", { ...env, SHOP_CHAT_SECRET: "" });
  expect(await stored()).toEqual(messages);
  const withoutSecret = { authorization: `Bearer ${tokenOf({ sub: "41" }, "")}` };
  expect((await send(withoutSecret, "threads")).status).toBe(401);
  backend.stop();
  backend = await startPython("fastapi", "backend:app", env);
});

it("a backup has every thread, export and purge are of one visitor, also while an answer is written", async () => {
  const other = await newThread(userOf("51"));
  await (await other.ask({ id: "q1", content: "Чужое" })).text();
  const { ask } = await newThread(userOf("5"));
  await (await ask({ id: "q1", content: "Где мой заказ?" })).text();
  const copy = join(folder, "copy.db");
  await operate("backup", copy);
  await expect(operate("backup", copy)).rejects.toThrow("is there already");
  expect(JSON.parse(await operate("export", "host:5"))).toMatchObject({
    visitor: "host:5",
    threads: [{ title: "Где мой заказ?", messages: [{ content: "Где мой заказ?" }, { role: "assistant" }] }],
  });
  const asked = await ask({ id: "q2", content: "заказ ".repeat(20) });
  expect(await operate("purge", "host:5")).toBe("Deleted 1 thread of the visitor host:5\n");
  expect(await asked.text()).toContain("[DONE]");
  expect(await threadsOf(userOf("5"))).toEqual([]);
  expect(await threadsOf(userOf("51"))).toEqual([other.threadId]);
  for (const file of [env.CHAT_DB, `${env.CHAT_DB}-wal`])
    expect([file, readFileSync(file).includes("Где мой заказ")]).toEqual([file, false]);

  expect(await operate("export", "host:5", copy)).toContain("Где мой заказ?");
  const nowhere = operate("purge", "host:5", join(folder, "none.db"));
  await expect(nowhere).rejects.toThrow("CHAT_DB has to name the file of the server");
});

it("a visitor erases everything of theirs, and is a new one afterwards", async () => {
  const browser = await newBrowser();
  const { threadId } = await newThread(browser);
  const erased = await send(browser, "visitor", undefined, { method: "DELETE" });
  expect([erased.status, erased.headers.get("set-cookie")]).toEqual([204, expect.stringContaining("Max-Age=0")]);
  expect((await send(browser, `threads/${threadId}/messages`)).status).toBe(404);
});
