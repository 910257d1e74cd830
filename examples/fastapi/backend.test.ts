import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startPython } from "../start-python.ts";
import type { PythonServer } from "../start-python.ts";

const run = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let backend: PythonServer;
beforeAll(async () => {
  backend = await startPython("fastapi", "backend:app", { ORIGINS: "https://shop.example" });
}, 600_000);
afterAll(() => backend?.stop());

interface Stored {
  readonly id: string;
  readonly role: string;
  readonly parentId: string | null;
  readonly content: string;
  readonly attachments?: readonly unknown[];
  readonly status?: { readonly type: string; readonly reason?: string };
}

/** A new visitor's new thread: asks in it, and lists what is stored. */
async function newThread() {
  const config = await fetch(new URL("api/projects/default/config", backend.url));
  const cookie = config.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const send = (rest: string, body?: unknown, signal?: AbortSignal) =>
    fetch(new URL(`api/debug/threads${rest}`, backend.url), {
      headers: { cookie, "content-type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const { threadId } = (await (await send("", {})).json()) as { threadId: string };
  return {
    ask: async (question: object, more: object = {}, signal?: AbortSignal) =>
      send(`/${threadId}/run/stream`, { messages: [{ role: "user", ...question }], ...more }, signal),
    stored: async () => (await (await send(`/${threadId}/messages`)).json()) as readonly Stored[],
  };
}

it("nitka conformance finds nothing that fails and has no advice, also for a page of another origin", async () => {
  const nitka = path("../../apps/nitka/bin/nitka.mjs");
  const options = ["--page", "https://shop.example", "--json"];
  const { stdout } = await run(process.execPath, [nitka, "conformance", backend.url, ...options]);
  const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly { readonly status: string }[] };
  expect(outcomes.filter(({ status }) => status === "fails" || status === "advised")).toEqual([]);
  expect(outcomes.filter(({ status }) => status === "holds").length).toBeGreaterThan(30);
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
