/** The operators' view of refusals: their metric and their log lines. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { refusalOf, serverOpener } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";

const { openThread } = threadOpener();
const open = serverOpener();

const clock = () => new Date("2026-11-21T12:00:00.000Z");

describe("a refusal", () => {
  it("is counted by code and limit, and logged with the address block instead of its request line", async () => {
    const { client, log, threadId } = await openThread({
      clock,
      project: { limits: { messagesPerMinute: 1, runsAtOnce: null } },
    });
    await (await client.ask(threadId, { id: "q1" })).text();
    for (let n = 2; n <= 4; n += 1) {
      expect(await refusalOf(await client.ask(threadId, { id: `q${n}` }))).toBe("429 rate_limited");
    }
    const lines = log.filter(({ fields }) => fields["status"] === 429);
    expect(lines).toEqual([
      {
        level: "warn",
        text: "a request was refused",
        fields: {
          requestId: expect.any(String) as string,
          method: "POST",
          route: "/api/debug/threads/:id/run/stream",
          status: 429,
          ms: expect.any(Number) as number,
          projectId: "default",
          visitorId: expect.any(String) as string,
          code: "rate_limited",
          limit: "messagesPerMinute",
          block: "192.0.2.0/24",
        },
      },
    ]);
    const page = (await (await client.get("/metrics")).text()).split("\n");
    expect(page).toContain('nitka_refusals_total{code="rate_limited",limit="messagesPerMinute"} 3');
  });

  it("of an unknown path counts too", async () => {
    const { visitor, log } = await open({ clock, project: { limits: { requestsPerMinute: 2 } } });
    const client = await visitor();
    for (let n = 0; n < 5; n += 1) await client.get("/nothing");
    expect(log.filter(({ text }) => text === "a request was refused")).toHaveLength(1);
    const page = await (await (await open({ clock })).visitor()).get("/metrics");
    expect(await page.text()).not.toContain("nitka_refusals_total{");
  });

  it("because of used-up tokens names the owner of the budget, and the budget's use is a metric", async () => {
    const model = createHeldModel();
    const { client, log, threadId } = await openThread({
      clock,
      model,
      project: { limits: { projectTokensPerDay: 100 } },
    });
    const stream = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.write("Да");
    model.end({ inputTokens: 90, outputTokens: 20 });
    await stream.text();
    expect(await refusalOf(await client.ask(threadId, { id: "q2" }))).toBe("429 budget_exceeded");
    expect(log.find(({ text }) => text === "a request was refused")?.fields).toMatchObject({
      code: "budget_exceeded",
      limit: "projectTokensPerDay",
    });
    const page = (await (await client.get("/metrics")).text()).split("\n");
    expect(page).toEqual(
      expect.arrayContaining([
        'nitka_budget_tokens{project="default"} 100',
        'nitka_budget_tokens_used{project="default"} 110',
      ]),
    );
  });

  it("is one of many limits; a project without a budget has no metric", async () => {
    const { visitor } = await open();
    const page = await (await (await visitor()).get("/metrics")).text();
    expect(page).toContain("# TYPE nitka_budget_tokens gauge");
    expect(page).not.toMatch(/^nitka_budget_tokens(_used)?\{/m);
    // A database in memory has no disk.
    expect(page).not.toMatch(/^nitka_disk_(free_)?bytes /m);
  });

  it("is a metric even when the database does not answer: all other figures are served", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    onTestFinished(() => storage.close());
    const silent = () => new Promise<never>(() => undefined);
    const { visitor } = await open({
      storage: { ...storage, tableBytes: silent, usage: { ...storage.usage, report: silent } },
      project: { limits: { projectTokensPerDay: 100 } },
    });
    const client = await visitor();
    for (const tries of [1, 2]) {
      const page = await (await client.get("/metrics")).text();
      expect(page, `scrape ${tries}`).toContain('nitka_budget_tokens{project="default"} 100');
      expect(page).not.toContain("nitka_budget_tokens_used{");
    }
  });

  it("is not needed to see that the database's disk is filling up", async () => {
    const folder = mkdtempSync(join(tmpdir(), "nitka-disk-"));
    const storage = await openSqliteStorage({ path: join(folder, "chat.db") });
    onTestFinished(async () => {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const { visitor } = await open({ storage });
    const page = await (await (await visitor()).get("/metrics")).text();
    const [bytes, free] = ["nitka_disk_bytes", "nitka_disk_free_bytes"].map((name) =>
      Number(new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1]),
    );
    expect(bytes).toBeGreaterThan(1e8);
    expect(free).toBeGreaterThan(0);
    expect(free).toBeLessThanOrEqual(bytes ?? 0);
  });
});
