import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { Storage } from "@nitka/server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { NOW, runInProcess } from "./command.contract.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();

let folder = "";
let server: Storage;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "nitka-feedback-"));
  writeFileSync(join(folder, "projects.json"), JSON.stringify({ projects: { shop: {} } }));
  server = await openSqliteStorage({ path: join(folder, "nitka.db") });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]) =>
  runInProcess({ NITKA_DATA: folder, NITKA_CONFIG: join(folder, "projects.json") }, "feedback", ...args);

/** A rated answer of Anna's. */
async function rated(projectId: string, n: number, at: string, rating: "up" | "down", reason?: string) {
  const owner = { projectId, visitorId: "anna" };
  const [threadId, questionId, answerId, runId] = [`t${n}`, `q${n}`, `a${n}`, `r${n}`];
  await server.threads.create(owner, { threadId, updatedAt: at });
  const question = { id: questionId, role: "user", content: "Где заказ?", parentId: null } as const;
  await server.runs.begin(owner, { runId, threadId, questionId, answerId, instanceId: "i" }, question, {
    regenerate: false,
    at,
  });
  await server.runs.end(
    runId,
    { id: answerId, role: "assistant", content: "Не знаю", status: { type: "complete" } },
    at,
  );
  await server.messages.rate(owner, threadId, answerId, { rating, ...(reason !== undefined && { reason }) });
  return { at, projectId, threadId, messageId: answerId, rating, ...(reason !== undefined && { reason }) };
}

it("nitka feedback prints the ratings of all projects newest first, as text and as JSON, without those of deleted threads", async () => {
  await rated("shop", 1, daysAgo(40), "up");
  const older = await rated("shop", 2, daysAgo(20), "down", "Нет\n\u001bцены");
  const newer = await rated("gone", 3, daysAgo(1), "up");
  await rated("shop", 4, daysAgo(2), "up");
  await server.threads.archive({ projectId: "shop", visitorId: "anna" }, "t4", NOW);
  const { code, stdout, stderr } = await run("--json");
  expect([code, JSON.parse(stdout), stderr]).toEqual([
    0,
    [newer, older],
    `Reading SQLite in ${join(folder, "nitka.db")}.\n`,
  ]);
  expect((await run()).stdout).toBe(
    `${newer.at.slice(0, 16).replace("T", " ")}  up    gone  t3\n${older.at.slice(0, 16).replace("T", " ")}  down  shop  t2  «Нет цены»\n`,
  );
  expect(JSON.parse((await run("--json", "--days", "50")).stdout)).toHaveLength(3);
});

it("nitka feedback reads several pages, and says when there are no ratings", async () => {
  expect((await run()).stdout).toBe("No answer was rated in the last 30 days.\n");
  expect((await run("--json", "--days", "1")).stdout).toBe("[]\n");
  for (let n = 1; n <= 401; n += 1) await rated("shop", n, daysAgo(1), "down");
  expect(JSON.parse((await run("--json")).stdout)).toHaveLength(401);
});

it("nitka feedback refuses days that are not a number", async () => {
  expect(await run("--days", "0")).toMatchObject({
    code: 2,
    stderr: '--days is "0": expected a whole number from 1 to 9999.\n',
  });
});
