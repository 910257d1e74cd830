import { rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { json as readJson } from "node:stream/consumers";
import { serveForTest } from "@nitka/server/test-kit";
import { describe, expect, it } from "vitest";
import { newVisitor, programOpener } from "./program.contract.ts";

const { start, dataFolder } = programOpener();

const unlimited = Object.fromEntries(
  [
    "messagesPerMinute",
    "threadsPerMinute",
    "requestsPerMinute",
    "runsAtOnce",
    "addressRunsAtOnce",
    "addressMessagesPerMinute",
    "projectRunsAtOnce",
  ].map((name) => [name, null]),
);

describe.skipIf(process.platform === "win32")("SIGHUP", () => {
  it("a hundred times during a hundred running answers breaks none, and new questions use the newest valid file", async () => {
    const upstream = await startUpstream();
    write({ title: "0", instructions: "version 0" });
    const program = await start({ NITKA_CONFIG: projectsFile(), OPENAI_BASE_URL: upstream.url });
    const reload = async (fields: object | string, said: RegExp) => {
      const before = program.stderr().match(new RegExp(said, "g"))?.length ?? 0;
      write(fields);
      void program.end("SIGHUP");
      await expect.poll(() => program.stderr().match(new RegExp(said, "g"))?.length).toBe(before + 1);
    };
    const visitor = await newVisitor(program.url);
    const asked: { readonly thread: string; readonly answer: Promise<string> }[] = [];
    for (let n = 0; n < 100; n += 1) {
      const thread = await newThread(program.url, visitor.cookie);
      asked.push({ thread, answer: visitor.send(thread, "hold") });
    }
    await expect.poll(upstream.heldCount).toBe(100);
    for (let n = 1; n <= 100; n += 1) {
      const isBad = n % 10 === 0;
      if (isBad) await reload(n % 20 === 0 ? "{ oops" : { titel: "typo" }, /The projects were not reloaded/);
      else await reload({ title: String(n), instructions: `version ${n}` }, /the projects were reloaded/);
      const newest = isBad ? n - 1 : n;
      const config = (await (await fetch(`${program.url}/api/projects/default/config`)).json()) as { title: string };
      expect(config.title).toBe(String(newest));
      if (n % 9 !== 0) continue;
      await visitor.send(await newThread(program.url, visitor.cookie), "go");
      expect(upstream.instructions()).toContain(`version ${newest}`);
    }
    upstream.release();
    for (const { thread, answer } of asked) {
      expect(await answer).toContain('"type":"finish"');
      expect((await visitor.messages(thread)).at(-1)?.status).toEqual({ type: "complete" });
    }
    expect(await program.end("SIGTERM")).toBe(0);
  });

  it("adds and removes projects, names each mistake, and hides a new secret in the log", async () => {
    const upstream = await startUpstream();
    write({ model: "demo" });
    const program = await start({ NITKA_CONFIG: projectsFile(), SHOP_KEY: "key-of-the-shop" });
    const status = async (id: string) => (await fetch(`${program.url}/api/projects/${id}/config`)).status;
    expect([await status("default"), await status("shop")]).toEqual([200, 404]);
    const provider = { type: "openai-compatible", baseUrl: upstream.url, apiKey: "${SHOP_KEY}" };
    write(
      JSON.stringify({ providers: { shop: provider }, projects: { shop: { model: "shop:m", limits: unlimited } } }),
    );
    void program.end("SIGHUP");
    await expect.poll(async () => status("shop")).toBe(200);
    expect(await status("default")).toBe(404);
    write({ model: "nowhere:x", currency: "rouble" });
    void program.end("SIGHUP");
    await expect.poll(program.stderr).toContain('projects.default.currency is \\"rouble\\"');
    expect([await status("default"), await status("shop")]).toEqual([404, 200]);
    expect(program.stderr()).not.toContain("key-of-the-shop");
    rmSync(projectsFile());
    void program.end("SIGHUP");
    await expect.poll(program.stderr).toContain("expected a JSON file that can be read (ENOENT)");
    expect(await status("shop")).toBe(200);
  });
});

async function newThread(url: string, cookie: string): Promise<string> {
  const headers = { "content-type": "application/json", cookie };
  const made = await fetch(`${url}/api/debug/threads`, { method: "POST", headers, body: "{}" });
  return ((await made.json()) as { threadId: string }).threadId;
}

function projectsFile(): string {
  return join(dataFolder(), "projects.json");
}

/** Writes the config file: the fields of the project `default`, or a complete text. */
function write(fields: object | string): void {
  const limited = { projects: { default: { limits: unlimited, ...(fields as object) } } };
  writeFileSync(projectsFile(), typeof fields === "string" ? fields : JSON.stringify(limited));
}

/** A service whose answers to «hold» begin at once and end on `release`. */
async function startUpstream() {
  const held: ServerResponse[] = [];
  const seen: string[] = [];
  const url = await serveForTest((request, response) => {
    void readJson(request).then((body) => {
      const { messages, stream } = body as { messages: readonly { content: unknown }[]; stream?: boolean };
      if (!stream)
        return response.end(JSON.stringify({ choices: [{ message: { content: "Title" }, finish_reason: "stop" }] }));
      response.writeHead(200, { "content-type": "text/event-stream" });
      seen.push(JSON.stringify(messages[0]?.content));
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Да" } }] })}\n\n`);
      if (JSON.stringify(messages.at(-1)?.content).includes("hold")) return held.push(response);
      return finish(response);
    });
  });
  const finish = (response: ServerResponse) =>
    response.end(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`);
  return {
    url: `${url}/v1`,
    heldCount: () => held.length,
    instructions: () => seen.at(-1),
    release: () => {
      for (const response of held.splice(0)) finish(response);
    },
  };
}
