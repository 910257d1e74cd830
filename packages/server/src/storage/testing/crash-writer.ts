/**
 * Writes to a storage until it is killed, and prints each acknowledged write as a line of JSON. Its argument is a file for
 * SQLite or an address of Postgres.
 */
import { openPostgresStorage } from "../postgres.ts";
import { openSqliteStorage } from "../sqlite.ts";
import type { Storage } from "../storage.ts";

const [target = "", round = ""] = process.argv.slice(2);
const owner = { projectId: "default", visitorId: "crash" };
const storage = await (target.startsWith("postgres:")
  ? openPostgresStorage({ url: target, instanceId: round, connections: 4 })
  : openSqliteStorage({ path: target }));
await Promise.all(["a", "b", "c", "d"].map((line) => write(storage, `${round}${line}`)));

/** Writes one thread after the other; every second run is left running. */
async function write({ threads, runs, events }: Storage, prefix: string): Promise<never> {
  for (let n = 1; ; n += 1) {
    const threadId = `${prefix}${n}`;
    const runId = `run-${threadId}`;
    const at = new Date().toISOString();
    await threads.create(owner, { threadId, updatedAt: at });
    acknowledge("thread", threadId);
    const run = { runId, threadId, questionId: "q", answerId: "a", instanceId: round };
    await runs.begin(owner, run, { id: "q", role: "user", content: "?" }, { regenerate: false, at });
    acknowledge("begun", threadId);
    for (let seq = 1; seq <= 9; seq += 3) {
      const deltas = [seq, seq + 1, seq + 2];
      await events.append(
        deltas.map((each) => ({ runId, seq: each, data: JSON.stringify({ type: "text-delta", delta: String(each) }) })),
      );
      acknowledge("logged", threadId, seq + 2);
      // Lets the output be flushed, and the other writers continue.
      await new Promise(setImmediate);
    }
    if (n % 2 === 0) continue;
    const content = [{ type: "text", text: "123456789" }] as const;
    await runs.end(runId, { id: "a", role: "assistant", content, status: { type: "complete" } }, at);
    acknowledge("ended", threadId);
    await threads.rename(owner, threadId, `Тема ${threadId}`, "visitor");
    acknowledge("titled", threadId);
  }
}

function acknowledge(...what: readonly (string | number)[]): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
