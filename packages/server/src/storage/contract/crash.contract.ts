import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { textOf } from "@nitka/protocol/message";
import type { Storage } from "../storage.ts";
import { messagesOf } from "./fixture.contract.ts";

/** How often the writer is killed. `NITKA_CRASH_ROUNDS` raises the small default. */
const ROUNDS = Number(process.env["NITKA_CRASH_ROUNDS"] ?? 5);

const owner = { projectId: "default", visitorId: "crash" };

export interface CrashSubject {
  /** The database to write to: a file or an address. */
  readonly target: string;
  readonly open: () => Promise<Storage>;
  /** The problems of the database itself after a crash. */
  readonly check: () => readonly unknown[];
}

/** The requirements when the writing process is killed without warning. */
export function crashContract(prepare: () => Promise<CrashSubject>): void {
  it(
    `loses no acknowledged write, and leaves no run running, in ${ROUNDS} kills`,
    async () => {
      const { target, open, check } = await prepare();
      let written = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        const acknowledged = await writeUntilKilled(target, round);
        expect(check()).toEqual([]);
        const storage = await open();
        // Postgres may still commit a run that it had received when the writer died.
        await expect.poll(() => runningAfterInterrupt(storage)).toBe(0);
        expect(await lostOf(storage, acknowledged)).toEqual([]);
        await storage.close();
        written += acknowledged.length;
      }
      expect(written).toBeGreaterThan(ROUNDS);
    },
    30_000 + ROUNDS * 10_000,
  );
}

type Acknowledged = readonly [what: "thread" | "begun" | "logged" | "ended" | "titled", threadId: string, seq?: number];

/** Starts the writer, and kills it some time after its first line. */
async function writeUntilKilled(target: string, round: number): Promise<readonly Acknowledged[]> {
  const writer = spawn(process.execPath, [writerPath, target, `r${round}`], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let trouble = "";
  writer.stderr.setEncoding("utf8").on("data", (text: string) => {
    trouble += text;
  });
  writer.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (output === "") setTimeout(() => writer.kill("SIGKILL"), 20 + ((round * 67) % 200));
    output += text;
  });
  const signal = await new Promise((resolve) => writer.once("close", (_, by) => resolve(by)));
  expect([signal, trouble]).toEqual(["SIGKILL", ""]);
  // The last line may be cut: then it was not acknowledged.
  const lines = output.slice(0, output.lastIndexOf("\n")).split("\n");
  return lines.map((line) => JSON.parse(line) as Acknowledged);
}

const writerPath = fileURLToPath(new URL("../testing/crash-writer.ts", import.meta.url));

async function runningAfterInterrupt({ runs }: Storage): Promise<number> {
  await runs.interruptStale(0, new Date().toISOString());
  return runs.countRunning(owner);
}

/** The acknowledged writes that are missing. */
async function lostOf(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<readonly unknown[]> {
  const lost: unknown[] = [];
  for (const [what, threadId, seq = 0] of acknowledged) {
    const thread = await storage.threads.find(owner, threadId);
    const [question, answer] = await messagesOf(storage, owner, threadId);
    const asked = question?.content === "?" && answer?.parentId === "q" && answer.status?.type !== "running";
    const isKept = {
      thread: thread !== undefined,
      begun: asked,
      // The logged text is in the answer, whether the run ended or not.
      logged: asked && textOf(answer).startsWith("123456789".slice(0, seq)),
      ended: asked && answer.status?.type === "complete" && textOf(answer) === "123456789",
      titled: thread?.title === `Тема ${threadId}`,
    }[what];
    if (!isKept) lost.push([what, threadId, seq, thread, answer]);
  }
  return lost;
}
