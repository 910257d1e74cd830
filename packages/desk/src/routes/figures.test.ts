import { describe, expect, it } from "vitest";
import { answer, finish, question, refusalOf, run, threadOpener } from "@nitka/server/test-kit";
import { deskOf } from "../desk-client.contract.ts";
import type { DayFigures, RunFigures, RunPage } from "../run-figures.ts";

const { openHeld, openThread } = threadOpener();

const prices = { held: { input: 1_000_000, cachedInput: 0, output: 2_000_000 } };

describe("the desk's figures", () => {
  it("contain a run's times, tokens, cost, status and rating", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.spend({ inputTokens: 3, cachedInputTokens: 1, outputTokens: 2 });
    finish(model);
    await asked.text();
    const [, answer] = await client.messages(threadId);
    await client.post(`threads/${threadId}/messages/${answer?.id}/feedback`, { rating: "down", reason: "Долго" });
    const desk = await deskOf(opened, { prices, currency: "EUR" });
    const { runs, next } = await desk.get<RunPage>("/runs");
    expect(next).toBeUndefined();
    const [run] = runs;
    const any = expect.any(Number) as number;
    expect(run).toEqual({
      runId: expect.any(String) as string,
      threadId,
      answerId: answer?.id ?? "",
      projectId: "default",
      visitorId: expect.stringMatching(/^\w/) as string,
      title: "Привет",
      status: { type: "complete" },
      startedAt: expect.stringMatching(/Z$/) as string,
      durationMs: any,
      firstTokenMs: any,
      rejoins: 0,
      modelId: "held",
      tokens: { inputTokens: 3, cachedInputTokens: 1, outputTokens: 2 },
      cost: { amount: 6, currency: "EUR" },
      feedback: { rating: "down", reason: "Долго" },
      isReadable: true,
    } satisfies RunFigures);
    expect(await desk.get(`/runs/${run?.runId}`)).toEqual(run);
    const [day, ...others] = await desk.get<readonly DayFigures[]>("/days");
    expect(others).toEqual([]);
    expect(day).toMatchObject({
      projectId: "default",
      runs: 1,
      errors: 0,
      up: 0,
      down: 1,
      inputTokens: 3,
      outputTokens: 2,
      cost: { amount: 6, currency: "EUR" },
    });
  });

  it("have tokens without a cost when a model has no price, and name this model beside the priced ones", async () => {
    const opened = await openHeld();
    const { model, client, threadId } = opened;
    const asked = await client.ask(threadId, { id: "q1" });
    await model.asked(1);
    model.spend({ inputTokens: 1, outputTokens: 1 });
    model.spend({ modelId: "other", inputTokens: 5, outputTokens: 5 });
    finish(model);
    await asked.text();
    const unpriced = await (await deskOf(opened)).get<readonly DayFigures[]>("/days");
    expect([unpriced[0]?.inputTokens, unpriced[0]?.cost]).toEqual([6, undefined]);
    const [day] = await (await deskOf(opened, { prices })).get<readonly DayFigures[]>("/days");
    expect(day?.cost).toEqual({ amount: 3, currency: "USD", unpriced: ["other"] });
  });

  it("cover the requested projects, days, statuses and ratings, in pages", async () => {
    const opened = await openThread();
    const { storage } = opened;
    const owner = { projectId: "default", visitorId: "anna" };
    const at = new Date().toISOString();
    for (let n = 1; n <= 51; n += 1) {
      const threadId = `t${n}`;
      const later = new Date(Date.parse(at) + n).toISOString();
      await storage.threads.create(owner, { threadId, updatedAt: at });
      await storage.runs.begin(owner, run(n, threadId), question(n), { regenerate: false, at: later });
      const status = n === 1 ? ({ type: "incomplete", reason: "error" } as const) : undefined;
      await storage.runs.end(`run${n}`, answer(n, "Да", status), later);
    }
    const desk = await deskOf(opened);
    const { runs, next = "" } = await desk.get<RunPage>("/runs?status=&project=default");
    const rest = await desk.get<RunPage>(`/runs?after=${encodeURIComponent(next)}`);
    expect([runs.length, rest.runs.length, rest.next]).toEqual([50, 1, undefined]);
    expect(rest.runs[0]?.status).toMatchObject({ type: "incomplete", reason: "error" });
    expect((await desk.get<RunPage>("/runs?status=error")).runs).toEqual(rest.runs);
    expect((await desk.get<RunPage>("/runs?rating=any")).runs).toEqual([]);
    expect((await desk.get<RunPage>("/runs?from=2020-01-01&to=2020-01-31")).runs).toEqual([]);
    expect(await desk.get("/days?from=2020-01-01&to=2020-01-31")).toEqual([]);
  });

  it("are CSV tables of all pages, in which no visitor's text is a formula", async () => {
    const opened = await openThread();
    const { storage } = opened;
    const owner = { projectId: "default", visitorId: "@anna" };
    const at = new Date().toISOString();
    for (let n = 1; n <= 502; n += 1) {
      const threadId = `t${n}`;
      await storage.threads.create(owner, { threadId, updatedAt: at });
      await storage.runs.begin(owner, run(n, threadId), question(n), { regenerate: false, at });
      await storage.runs.end(`run${n}`, answer(n, "Да"), at);
    }
    await storage.threads.rename(owner, "t7", `=HYPERLINK("https://evil.example";"a")`, "visitor");
    await storage.messages.rate(owner, "t7", "a7", { rating: "down", reason: "+1,\nили нет" });
    const desk = await deskOf(opened);
    const response = await desk.fetch("/runs?format=csv");
    expect([response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([
      "text/csv; charset=utf-8",
      'attachment; filename="runs.csv"',
    ]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(Uint8Array.of(0xef, 0xbb, 0xbf));
    const lines = new TextDecoder().decode(bytes).split("\r\n");
    expect(lines[0]).toMatch(/^startedAt,runId,projectId,visitorId,threadId,answerId,title,status,/);
    expect(lines).toHaveLength(502 + 2);
    expect(new Set(lines.slice(1, -1).map((line) => line.split(",")[1])).size).toBe(502);
    const [, seventh = ""] = /^[^\n]*,run7,(.*)$/ms.exec(lines.find((line) => line.includes(",run7,")) ?? "") ?? [];
    expect(seventh).toContain(`default,'@anna,t7,a7,"'=HYPERLINK(""https://evil.example"";""a"")",complete,`);
    expect(seventh).toContain(`,down,"'+1,\nили нет"`);
    const [head, day, ...rest] = (await (await desk.fetch("/days", { headers: { accept: "text/csv" } })).text()).split(
      "\r\n",
    );
    expect([head?.split(",").slice(0, 4), day?.split(",").slice(1, 4), rest]).toEqual([
      ["day", "projectId", "runs", "errors"],
      ["default", "502", "0"],
      [""],
    ]);
    expect(await desk.get("/days?format=json")).toEqual(await desk.get("/days"));
  });

  it("list the projects by their titles", async () => {
    const opened = await openThread();
    const desk = await deskOf(
      opened,
      {},
      { shop: { models: [], config: { title: "Лавка" }, prices }, blog: { models: [] } },
    );
    expect(await desk.get("/projects")).toEqual([
      { id: "shop", title: "Лавка", hasPrices: true },
      { id: "blog", hasPrices: false },
    ]);
  });

  it.each([
    ["/runs?project=nope", 'project is "nope": expected one of default.'],
    ["/runs?status=odd", 'status is "odd":'],
    ["/runs?from=yesterday", 'from is "yesterday":'],
    ["/runs?format=xml", 'format is "xml":'],
    ["/runs?after=1", 'after is "1":'],
    ["/days?from=2026-02-02&to=2026-02-01", "from is 2026-02-02: expected a day that is not after 2026-02-01."],
    ["/days?from=2025-01-01&to=2026-01-01", "The span has 366 days: expected at most 92."],
  ])("refuse %s with a sentence", async (path, sentence) => {
    const desk = await deskOf(await openThread());
    const refused = await desk.fetch(path);
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain(JSON.stringify(sentence).slice(1, -1));
  });

  it("are read-only", async () => {
    const desk = await deskOf(await openThread());
    expect(await refusalOf(await desk.fetch("/runs", { method: "POST" }))).toBe("405 method_not_allowed");
    expect((await desk.fetch("/nothing")).status).toBe(404);
  });
});
