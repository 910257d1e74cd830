import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStorage } from "@nitka/server/sqlite";
import { expect, it, onTestFinished } from "vitest";
import { NOW, runInProcess } from "./command.contract.ts";

it("the list of unanswered questions has questions and visitors' comments in one line each, without control characters, and closes them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nitka-unanswered-"));
  const config = join(folder, "projects.json");
  writeFileSync(
    config,
    JSON.stringify({
      projects: { shop: { knowledge: { sources: [{ sitemap: "https://shop.example/sitemap.xml" }] } } },
    }),
  );
  const server = await openSqliteStorage({ path: join(folder, "nitka.db") });
  onTestFinished(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const owner = { projectId: "shop", visitorId: "anna" };
  await server.threads.create(owner, { threadId: "t1", updatedAt: NOW });
  const run1 = { runId: "run1", threadId: "t1", questionId: "q1", answerId: "a1", instanceId: "here" };
  const question = { id: "q1", role: "user", content: "Где мой заказ?", parentId: null } as const;
  await server.runs.begin(owner, run1, question, { regenerate: false, at: NOW });
  await server.messages.rate(owner, "t1", "a1", { rating: "down", reason: "Мимо\u001B[2J\r\nсовсем" });
  await server.unanswered.keep(owner, {
    threadId: "t1",
    messageId: "a1",
    question: "Где\n\u001B]0;root\u0007 мой\u202E заказ?",
    reason: "disliked",
    at: NOW,
    passages: [{ url: "https://shop.example/a", title: "A" }],
  });
  const run = (...args: readonly string[]) =>
    runInProcess({ NITKA_DATA: folder, NITKA_CONFIG: config }, "knowledge", ...args);
  const [, id = ""] = /close (\w+)\n/.exec((await run("unanswered")).stdout) ?? [];
  expect((await run("unanswered")).stdout).toBe(
    `Где ]0;root мой заказ?
  2026-11-21 12:00, the visitor disliked the answer: «Мимо [2J совсем»
  offered: https://shop.example/a
  nitka knowledge close ${id}
`,
  );
  expect(await run("close", id)).toMatchObject({ code: 0, stdout: "Closed 1 question.\n" });
  expect((await run("unanswered")).stdout).toBe("The pages answered every question of the last 30 days.\n");
});
