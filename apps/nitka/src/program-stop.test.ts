import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { json, newVisitor, NODE_COMPILE_CACHE, programOpener } from "./program.contract.ts";
import type { ProgramEnv } from "./program.contract.ts";

const { start, onEnd, dataFolder } = programOpener();

/** A request on a new connection, like the probe of a load balancer. */
function probe(url: string): Promise<Response> {
  return fetch(url, { headers: { connection: "close" } });
}

/** An answer that is being written. */
async function openAnswer(url: string, words: string) {
  const visitor = await newVisitor(url);
  const thread = await visitor.newThread();
  const answer = visitor.send(thread, words);
  answer.catch(() => undefined);
  await visitor.untilSaid(thread, "Считаю");
  return { visitor, thread, answer };
}

describe("Stopping the program", () => {
  it("by SIGTERM makes it not ready at once, refuses only new questions, and lets a running answer finish", async () => {
    const program = await start({ NITKA_DRAIN_SECONDS: "3", NITKA_GRACE_SECONDS: "30", NITKA_DEMO_SPEED: "1" });
    const { visitor, thread, answer } = await openAnswer(program.url, "Посчитай до 40");
    const ended = program.end("SIGTERM");
    await expect.poll(async () => (await probe(`${program.url}/readyz`)).status).toBe(503);
    expect((await probe(`${program.url}/healthz`)).headers.get("connection")).toBe("close");
    const other = await newVisitor(program.url);
    const empty = await other.newThread();
    const messages = [{ id: "q1", role: "user", content: "Привет" }];
    const refused = await other.call(`/${empty}/run/stream`, json({ messages }));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await visitor.threads()).toHaveLength(1);
    expect((await visitor.messages(thread)).at(-1)?.status).toEqual({ type: "running" });
    expect(await answer).toContain('"type":"finish"');
    expect(await ended).toBe(0);
    await expect(probe(`${program.url}/readyz`)).rejects.toThrow("fetch failed");
  });

  it("by SIGTERM parks answers that take longer than the grace period", async () => {
    const program = await start({ NITKA_GRACE_SECONDS: "1" });
    const { visitor, thread, answer } = await openAnswer(program.url, "Посчитай до 1000");
    expect(await program.end("SIGTERM")).toBe(0);
    await answer.catch(() => undefined);
    const again = visitor.at((await start({})).url);
    const last = (await again.messages(thread)).at(-1);
    expect(last?.status).toEqual({ type: "incomplete", reason: "interrupted" });
  });

  it("by SIGINT neither drains nor waits for a long answer", async () => {
    const program = await start({ NITKA_DRAIN_SECONDS: "3000", NITKA_GRACE_SECONDS: "3000" });
    const { answer } = await openAnswer(program.url, "Посчитай до 1000");
    expect(await program.end("SIGINT")).toBe(0);
    await answer.catch(() => undefined);
  });

  it("exits at once on the second signal", async () => {
    const program = await start({ NITKA_DRAIN_SECONDS: "3000", NITKA_GRACE_SECONDS: "3000" });
    const { answer } = await openAnswer(program.url, "Посчитай до 1000");
    void program.end("SIGTERM");
    await expect.poll(async () => (await probe(`${program.url}/readyz`)).status).toBe(503);
    expect(await program.end("SIGTERM")).toBe(143);
    await answer.catch(() => undefined);
  });

  it("by SIGTERM to `npm start` drains too, and exits with 0", async () => {
    const { starter, url } = await startWithScript({ NITKA_DRAIN_SECONDS: "2" });
    const ended = once(starter, "exit");
    starter.kill("SIGTERM");
    await expect.poll(async () => (await probe(`${url}/readyz`)).status).toBe(503);
    expect(await ended).toEqual([0, null]);
  });

  it("is not the effect of SIGHUP to `npm start`: the program reloads its config file", async () => {
    const path = join(dataFolder(), "projects.json");
    const write = (title: string) => writeFileSync(path, JSON.stringify({ projects: { default: { title } } }));
    write("before");
    const { starter, url } = await startWithScript({ NITKA_CONFIG: path });
    const title = async () =>
      ((await (await probe(`${url}/api/projects/default/config`)).json()) as { title: string }).title;
    expect(await title()).toBe("before");
    write("after");
    starter.kill("SIGHUP");
    await expect.poll(title).toBe("after");
  });

  it("happens automatically when the parent process is killed", async () => {
    const { starter, url } = await startWithScript({});
    expect((await probe(`${url}/healthz`)).status).toBe(200);
    starter.kill("SIGKILL");
    await once(starter, "exit");
    const gone = async () => {
      await sleep(100);
      return probe(`${url}/healthz`).then(
        () => false,
        () => true,
      );
    };
    await expect.poll(gone).toBe(true);
  });
});

/** The program as `npm start` runs it. */
async function startWithScript(settings: ProgramEnv) {
  const script = fileURLToPath(new URL("../../../scripts/start.mjs", import.meta.url));
  const { PATH, HOME } = process.env;
  const starter = spawn(process.execPath, [script], {
    env: { PATH, HOME, PORT: "0", NITKA_DATA: dataFolder(), NODE_COMPILE_CACHE, ...settings },
  });
  let said = "";
  starter.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  onEnd(async () => starter.kill("SIGKILL"));
  await expect.poll(() => said).toContain("Ctrl+C");
  return { starter, url: /Nitka is at (\S+)/.exec(said)?.[1] ?? "" };
}
