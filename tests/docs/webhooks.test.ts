/**
 * The receivers in docs/configuration.md ("Webhooks"): each accepts calls that are signed with its secret, once, and nothing
 * else.
 */
import { spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { codeIn } from "../docs-code.ts";

const key = Buffer.from("a secret that two sides know well");
const folder = mkdtempSync(join(import.meta.dirname, ".webhooks-"));
const [, node = "", python = ""] = codeIn("configuration.md", "Webhooks");
const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function start(command: string, name: string, code: string) {
  const port = await freePort();
  writeFileSync(join(folder, name), code);
  const env = { ...process.env, HOOK_SECRET: `whsec_${key.toString("base64")}`, PORT: String(port) };
  const child = spawn(command, [name], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  stops.push(async () => {
    child.kill();
    await ended;
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const post = async (id: string, body: string, secret = key) => {
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac("sha256", secret).update(`${id}.${at}.${body}`).digest("base64");
    const headers = { "webhook-id": id, "webhook-timestamp": at, "webhook-signature": `v1,${signature}` };
    return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body, headers })).status;
  };
  return { post, said: () => said };
}

it.each([
  ["Node", process.execPath, "receiver.ts", node],
  ["Python", "python3", "receiver.py", python],
])("the receiver in %s takes what is signed with its secret, once", async (_, command, name, code) => {
  const { post, said } = await start(command, name, code);
  const body = JSON.stringify({
    type: "thread.created",
    timestamp: "2026-11-21T12:00:00.000Z",
    data: { threadId: "t1" },
  });
  await expect.poll(() => post("1", body).catch(String)).toBe(204);
  expect(await post("1", body)).toBe(204);
  expect(await post("2", body, Buffer.from("another secret of thirty bytes"))).toBe(401);
  await expect.poll(said).toBe("thread.created t1\n");
});
