/** Runs the real program as a process, over real sockets. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message, Thread } from "@nitka/protocol";
import { afterEach, beforeEach } from "vitest";

export type ProgramEnv = Readonly<Record<string, string>>;

/** Halves the processor time of every start after the first. */
export const NODE_COMPILE_CACHE = process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "nitka-compile-cache");

/** Windows has no signals between processes: there a message asks the program to stop. */
const byMessage = process.platform === "win32";

/** Starts programs with a data folder per test, and kills them after the test. */
export function programOpener() {
  let data = "";
  const stops: (() => Promise<unknown>)[] = [];
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), "nitka-"));
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    rmSync(data, { recursive: true, force: true });
  });

  function spawnProgram(args: readonly string[], env: ProgramEnv) {
    const main = fileURLToPath(new URL("../bin/nitka.mjs", import.meta.url));
    const child = spawn(process.execPath, [main, ...args], {
      stdio: ["pipe", "pipe", "pipe", ...(byMessage ? (["ipc"] as const) : [])],
      env: {
        PATH: process.env["PATH"],
        PORT: "0",
        NITKA_DATA: data,
        NITKA_DEMO_SPEED: "6",
        NITKA_DRAIN_SECONDS: "0",
        NODE_COMPILE_CACHE,
        ...env,
      },
    });
    const { stdout: output, stderr: errors } = child;
    if (!output || !errors) throw new Error("The program was started without pipes for its output.");
    let stdout = "";
    let stderr = "";
    output.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    errors.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const exited = new Promise<number | null>((resolve) => {
      child.once("close", (code) => resolve(code));
    });
    return { child, output, exited, stdout: () => stdout, stderr: () => stderr };
  }

  async function run(args: readonly string[], env: ProgramEnv) {
    const { exited, stdout, stderr } = spawnProgram(args, env);
    const code = await exited;
    return { code, stdout: stdout(), stderr: stderr() };
  }

  async function start(env: ProgramEnv) {
    const { child, output, exited, stdout, stderr } = spawnProgram([], env);
    stops.push(async () => {
      child.kill("SIGKILL");
      await exited;
    });
    const url = await new Promise<string>((resolve, reject) => {
      output.on("data", () => {
        const url = /Nitka is at (\S+)/.exec(stdout())?.[1];
        if (url && stdout().includes("Ctrl+C")) resolve(url);
      });
      void exited.then((code) => reject(new Error(`The program ended with ${code}: ${stderr()}`)));
    });
    const end = (signal: NodeJS.Signals) => {
      if (byMessage && signal !== "SIGKILL") child.send({ stop: signal });
      else child.kill(signal);
      return exited;
    };
    return { url, stdout, stderr, end };
  }

  return {
    spawnProgram,
    run,
    start,
    dataFolder: () => data,
    /** Registers a function that runs after the test. */
    onEnd: (stop: () => Promise<unknown>) => void stops.push(stop),
  };
}

/** A visitor with a cookie of its own. */
export async function newVisitor(url: string) {
  const made = await fetch(`${url}/api/debug/threads`, json({}));
  const cookie = made.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return visitorAt(url, cookie);
}

function visitorAt(url: string, cookie: string) {
  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { ...(init.headers as Record<string, string> | undefined), cookie };
    return fetch(`${url}/api/debug/threads${path}`, { ...init, headers });
  };
  const messages = async (thread: string) => (await (await call(`/${thread}/messages`)).json()) as readonly Message[];
  const threads = async () => (await (await call("")).json()) as readonly Thread[];
  let count = 0;
  return {
    id: /=([^.]+)/.exec(cookie)?.[1] ?? "",
    cookie,
    at: (other: string) => visitorAt(other, cookie),
    call,
    messages,
    threads,
    newThread: async () => (await threads())[0]?.threadId ?? "",
    send: async (thread: string, content: string, parentId?: string) => {
      count += 1;
      const message = { id: `question${count}`, role: "user", content, ...(parentId ? { parentId } : {}) };
      return (await call(`/${thread}/run/stream`, json({ messages: [message] }))).text();
    },
    untilSaid: async (thread: string, words: string) => {
      while (!JSON.stringify(await messages(thread)).includes(words)) {
        await new Promise((resolve) => {
          setTimeout(resolve, 50);
        });
      }
    },
  };
}

export function json(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
