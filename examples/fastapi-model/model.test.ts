import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProgram } from "../../tests/browser/program.ts";
import type { Program } from "../../tests/browser/program.ts";
import { startPython } from "../start-python.ts";
import type { PythonServer } from "../start-python.ts";

const secret = "a secret of the site and of its chat";
const data = mkdtempSync(join(tmpdir(), "nitka-python-model-"));
let model: PythonServer;
let program: Program;

beforeAll(async () => {
  model = await startPython("fastapi-model", "model:app", { CHAT_SECRET: secret });
  program = await startProgram({
    NITKA_DATA: data,
    NITKA_CONFIG: join(import.meta.dirname, "projects.json"),
    CHAT_SECRET: secret,
    PYTHON_MODEL_URL: `${model.url}v1`,
  });
});
afterAll(async () => {
  await program?.stop();
  model?.stop();
  rmSync(data, { recursive: true });
});

/** A JWT with HS256. */
function signed(claims: object, key = secret): string {
  const exp = Math.floor(Date.now() / 1000) + 300;
  const parts = [
    { alg: "HS256", typ: "JWT" },
    { ...claims, exp },
  ];
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${createHmac("sha256", key).update(text).digest("base64url")}`;
}

/** Creates a thread of a visitor. Asks in it, and returns the answer's text as it is stored. */
async function newThread(headers: Readonly<Record<string, string>>) {
  const send = (rest: string, body?: unknown) =>
    fetch(new URL(`api/debug/threads${rest}`, program.url), {
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
  const { threadId } = (await (await send("", {})).json()) as { threadId: string };
  return async (id: string, content: string) => {
    await (await send(`/${threadId}/run/stream`, { messages: [{ id, role: "user", content }] })).text();
    const messages = (await (await send(`/${threadId}/messages`)).json()) as { content: { text: string }[] }[];
    return messages
      .at(-1)
      ?.content.map(({ text }) => text)
      .join("");
  };
}

it("answers a customer of the site by name, and remembers each thread", async () => {
  const authorization = `Bearer ${signed({ sub: "42", name: "Аня" })}`;
  const ask = await newThread({ authorization });
  expect(await ask("q1", "Где мой заказ?")).toBe("Аня, это вопрос 1: **Где мой заказ?**");
  expect(await ask("q2", "А сейчас?")).toBe("Аня, это вопрос 2: **А сейчас?**");
  const askElsewhere = await newThread({ authorization });
  expect(await askElsewhere("q3", "И здесь?")).toBe("Аня, это вопрос 1: **И здесь?**");
});

it("knows that a visitor without a token is a guest", async () => {
  const config = await fetch(new URL("api/projects/default/config", program.url));
  const ask = await newThread({ cookie: config.headers.get("set-cookie")?.split(";", 1)[0] ?? "" });
  expect(await ask("q1", "Привет")).toBe("гость, это вопрос 1: **Привет**");
});

it("refuses requests that do not come from the chat's server", async () => {
  const body = JSON.stringify({ model: "assistant", stream: true, messages: [{ role: "user", content: "?" }] });
  const statusOf = async (headers: Readonly<Record<string, string>>) => {
    const url = new URL("v1/chat/completions", model.url);
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    return response.status;
  };
  const claims = { sub: "42", aud: "python", thread: "t1" };
  const from = (token: string) => ({ "x-nitka-visitor": token, "x-nitka-thread": "t1" });
  expect([
    await statusOf(from(signed(claims))),
    await statusOf({}),
    await statusOf(from(signed(claims, "another secret of another server"))),
    await statusOf(from(signed({ ...claims, aud: "orders" }))),
    await statusOf(from(signed({ ...claims, thread: "t2" }))),
  ]).toEqual([200, 422, 401, 401, 401]);
});
