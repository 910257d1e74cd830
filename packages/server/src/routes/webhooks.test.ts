import { describe, expect, it } from "vitest";
import { createCallingModel } from "../contract/calling-model.contract.ts";
import { eventsOf, greeter, serverOpener, tap } from "../contract/server.contract.ts";
import type { Client } from "../contract/server.contract.ts";
import { webhookReceivers, webhookSecret as secret } from "../contract/webhook-receiver.contract.ts";
import type { Received, WebhookReceiver } from "../contract/webhook-receiver.contract.ts";
import type { Webhook } from "../services/webhooks/webhook.ts";
import { WEBHOOKS } from "../services/timings.ts";
import { openSqliteStorage } from "../storage/sqlite.ts";
import { eventually } from "../test-waits/eventually.contract.ts";

const open = serverOpener();
const startReceiver = webhookReceivers();
const timings = { webhookMs: 300, webhookRetriesMs: [20, 20, 20, 20, 20] };

async function openTold(more: Partial<Webhook> = {}, limits = {}) {
  const receiver = await startReceiver();
  const webhooks = [{ url: receiver.url, secret, ...more }];
  const opened = await open({ project: { webhooks, limits }, timings });
  return { ...opened, receiver, webhooks, client: await opened.visitor() };
}

async function askIn(client: Client, threadId: string, id = "q1"): Promise<string> {
  const events = await eventsOf(await client.ask(threadId, { id }));
  return (events[0] as { readonly messageId: string }).messageId;
}

function told({ received }: WebhookReceiver, count: number): Promise<readonly Received[]> {
  return eventually(() => {
    expect(received).toHaveLength(count);
    return received;
  });
}

const typesOf = ({ received }: WebhookReceiver) => received.map(({ type }) => type);

describe("a webhook", () => {
  it("receives the events of a project with ids, signed so that its secret verifies them, in the order of each thread", async () => {
    const { client, receiver } = await openTold();
    const threadId = await client.newThread();
    const messageId = await askIn(client, threadId);
    await client.post(`threads/${threadId}/messages/${messageId}/feedback`, { rating: "down" });
    await client.post(`threads/${threadId}/messages/${messageId}/feedback`, { rating: "down", reason: "Мимо" });
    const received = await told(receiver, 3);
    const visitorId = expect.any(String) as unknown;
    const ids = { projectId: "default", visitorId, threadId };
    const usage = { inputTokens: expect.any(Number) as unknown, outputTokens: expect.any(Number) as unknown };
    expect(received.map(({ type, data }) => ({ type, data }))).toEqual([
      { type: "thread.created", data: ids },
      { type: "run.ended", data: { ...ids, messageId, status: { type: "complete" }, usage } },
      { type: "message.rated", data: { ...ids, messageId, rating: "down" } },
    ]);
    expect(new Set(received.map(({ id }) => id)).size).toBe(3);
    expect(received.every(({ timestamp }) => new Date(timestamp).toISOString() === timestamp)).toBe(true);
    expect(receiver.forged).toEqual([]);
  });

  it("receives texts if it asks for them, and only the events that it names", async () => {
    const { client, receiver } = await openTold({ texts: true, events: ["run.ended", "message.rated"] });
    const threadId = await client.newThread();
    const messageId = await askIn(client, threadId);
    await client.post(`threads/${threadId}/messages/${messageId}/feedback`, { rating: "down" });
    await client.post(`threads/${threadId}/messages/${messageId}/feedback`, { rating: "down", reason: "Мимо" });
    expect(
      (await told(receiver, 3)).map(({ data: { question, answer, reason } }) => [question, answer, reason]),
    ).toEqual([
      ["Привет", "Привет", undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, "Мимо"],
    ]);
  });

  it("receives that a visitor has denied a tool of the server or of the page, and not that nobody answered", async () => {
    const receiver = await startReceiver();
    const model = createCallingModel([
      { kind: "approval", toolCallId: "c1", toolName: "refund", input: {} },
      { kind: "page", toolCallId: "c2", toolName: "buy", input: {} },
      { kind: "approval", toolCallId: "c3", toolName: "ship", input: {} },
    ]);
    const webhooks = [{ url: receiver.url, secret, texts: true, events: ["approval.denied"] as const }];
    const opened = await open({ model, project: { webhooks, limits: { toolWaitMs: 1_500 } }, timings });
    const client = await opened.visitor();
    const threadId = await client.newThread();
    const stream = tap(await client.ask(threadId, { id: "q1" }));
    await eventually(() => expect(stream.text().match(/approval-request|data-tool-request/g)).toHaveLength(3));
    await client.post(`threads/${threadId}/run/tool`, { toolCallId: "c1", approved: false, reason: "Дорого" });
    await client.post(`threads/${threadId}/run/tool`, { toolCallId: "c2", approved: false });
    await stream.done;
    const received = await told(receiver, 2);
    expect(received.map(({ data: { toolCallId, toolName, reason } }) => [toolCallId, toolName, reason])).toEqual([
      ["c1", "refund", "Дорого"],
      ["c2", "buy", undefined],
    ]);
  });

  it("receives that a visitor was erased, and nothing when a new visitor requests that", async () => {
    const { client, receiver, server } = await openTold({ events: ["visitor.erased"] });
    await client.newThread();
    await server.fetch(new Request("http://nitka.test/api/debug/visitor", { method: "DELETE" }));
    await client.fetch("visitor", { method: "DELETE" });
    expect(await told(receiver, 1)).toMatchObject([{ data: { projectId: "default" } }]);
  });

  it("receives once that a budget is used up", async () => {
    const { client, receiver } = await openTold(
      { events: ["budget.spent"] },
      { projectTokensPerDay: 3, tokensPerDay: 2 },
    );
    for (const id of ["q1", "q2", "q3"]) await (await client.ask(await client.newThread(), { id })).text();
    const received = await told(receiver, 2);
    expect(received.map(({ data: { limit, tokens, visitorId } }) => [limit, tokens, visitorId !== undefined])).toEqual([
      ["tokensPerDay", 2, true],
      ["projectTokensPerDay", 3, false],
    ]);
  });

  it("receives an event again with the same id after an error, a redirect and a silence, and no later event of the thread before it", async () => {
    const { client, receiver, log } = await openTold();
    const other = await startReceiver();
    const answers = [500, other.url, undefined, 204];
    receiver.answer = () => answers.shift();
    const threadId = await client.newThread();
    await askIn(client, threadId);
    await told(receiver, 5);
    expect(typesOf(receiver)).toEqual([...Array<string>(4).fill("thread.created"), "run.ended"]);
    expect(new Set(receiver.received.slice(0, 4).map(({ id }) => id)).size).toBe(1);
    expect(other.received).toEqual([]);
    const texts = log.map(({ text }) => text).filter((text) => text.startsWith("a webhook"));
    expect(texts).toEqual(["a webhook fails: its events are retried", "a webhook works again"]);
  });

  it("has undelivered events abandoned after a day, with a line in the log and in the metrics", async () => {
    const receiver = await startReceiver();
    receiver.answer = () => 500;
    const project = { webhooks: [{ url: receiver.url, secret, events: ["thread.created" as const] }] };
    const opened = await open({ project, timings: { ...timings, webhookPatienceMs: 2_000 } });
    await (await opened.visitor()).newThread();
    await eventually(() =>
      expect(opened.log.some(({ text }) => text === "an event for a webhook was given up")).toBe(true),
    );
    const metrics = await (await opened.server.fetch(new Request("http://nitka.test/metrics"))).text();
    expect(metrics).toContain('nitka_webhooks_failed_total{project="default",type="thread.created"} 1');
    expect(receiver.received.length).toBeGreaterThan(1);
  });

  it("that is no longer in any project has its events abandoned too, at the next start", async () => {
    const storage = await openSqliteStorage({ path: ":memory:" });
    const telling = { at: "2026-11-21T12:00:00.000Z", notices: [{ url: "https://gone.example/hook/key" }] };
    const owner = { projectId: "default", visitorId: "v1" };
    await storage.threads.create(owner, { threadId: "t1", updatedAt: telling.at }, telling);
    const { log } = await open({ storage, timings: { webhookPatienceMs: -WEBHOOKS.slackMs } });
    await eventually(() => expect(log.map(({ text }) => text)).toContain("an event for a webhook was given up"));
    expect(log).toMatchObject([{ fields: { projectId: "default", type: "thread.created", host: "gone.example" } }]);
    expect(JSON.stringify(log)).not.toContain("/key");
    expect(await storage.webhooks.giveUp(0)).toEqual([]);
    await storage.close();
  });

  it("that hangs delays neither another webhook nor another thread of its own", async () => {
    const [slow, quick] = [await startReceiver(), await startReceiver()];
    const stuck: string[] = [];
    slow.answer = ({ data: { threadId } }) => (stuck.includes(String(threadId)) ? undefined : 204);
    const webhooks = [slow, quick].map(({ url }) => ({ url, secret, events: ["thread.created" as const] }));
    const opened = await open({ project: { webhooks }, timings: { ...timings, webhookMs: 60_000 } });
    const client = await opened.visitor();
    stuck.push(await client.newThread());
    await told(slow, 1);
    for (let n = 0; n < 10; n += 1) await client.newThread();
    await told(quick, 11);
    expect(await told(slow, 11)).toHaveLength(11);
  });

  it("that answered 410 receives nothing more until its project is reloaded", async () => {
    const { client, receiver, server, webhooks, log } = await openTold({ events: ["thread.created"] });
    receiver.answer = () => 410;
    await client.newThread();
    await told(receiver, 1);
    await eventually(() => expect(log.some(({ text }) => text.startsWith("a webhook is gone"))).toBe(true));
    receiver.answer = () => 204;
    await client.newThread();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(receiver.received).toHaveLength(1);
    server.replaceProjects({ default: { models: [greeter], webhooks: structuredClone(webhooks) } });
    expect((await told(receiver, 3)).slice(1).map(({ type }) => type)).toEqual(["thread.created", "thread.created"]);
  });

  it("that is replaced gets the next events, and pending events are signed with a changed secret", async () => {
    const { client, receiver, server } = await openTold({
      secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
      events: ["thread.created"],
    });
    await client.newThread();
    await eventually(() => expect(receiver.forged.length).toBeGreaterThan(0));
    server.replaceProjects({
      default: { models: [greeter], webhooks: [{ url: receiver.url, secret, events: ["thread.created"] }] },
    });
    expect(await told(receiver, 1)).toMatchObject([{ type: "thread.created" }]);
  });

  it("that is replaced while the database is unavailable blocks no event: its thread continues", async () => {
    const receiver = await startReceiver();
    const storage = await openSqliteStorage({ path: ":memory:" });
    const webhooks = [{ url: receiver.url, secret }];
    let failures = 0;
    const remove = async (position: number) => {
      if (failures === 2) return storage.webhooks.remove(position);
      failures += 1;
      if (failures === 1)
        opened.server.replaceProjects({ default: { models: [greeter], webhooks: structuredClone(webhooks) } });
      throw new Error("the database is away");
    };
    const opened = await open({
      project: { webhooks },
      timings,
      storage: { ...storage, webhooks: { ...storage.webhooks, remove } },
    });
    const client = await opened.visitor();
    await askIn(client, await client.newThread());
    await told(receiver, 2);
    expect(typesOf(receiver)).toEqual(["thread.created", "run.ended"]);
    await opened.server.close();
    await storage.close();
  });

  it("receives events whose claim's reply from the database was lost, and none twice", async () => {
    const receiver = await startReceiver();
    const storage = await openSqliteStorage({ path: ":memory:" });
    let losses = 0;
    const claim: typeof storage.webhooks.claim = async (whose) => {
      const events = await storage.webhooks.claim(whose);
      if (events.length === 0 || losses === 1) return events;
      losses += 1;
      throw new Error("the connection is gone");
    };
    const opened = await open({
      project: { webhooks: [{ url: receiver.url, secret }] },
      timings,
      storage: { ...storage, webhooks: { ...storage.webhooks, claim } },
    });
    const client = await opened.visitor();
    await askIn(client, await client.newThread());
    await told(receiver, 2);
    expect(typesOf(receiver)).toEqual(["thread.created", "run.ended"]);
    expect(losses).toBe(1);
    await opened.server.close();
    await storage.close();
  });

  const secretSentence = "expected whsec_ and 24 to 64 bytes in base64.";
  it.each([
    [{ secret: "whsec_" }, `secret is not valid: ${secretSentence}`],
    [{ secret: `whsec_${Buffer.alloc(23).toString("base64")}` }, `secret is not valid: ${secretSentence}`],
    [{ secret: `whsec_${Buffer.alloc(65).toString("base64")}` }, `secret is not valid: ${secretSentence}`],
    [{ secret: Buffer.alloc(32).toString("base64") }, `secret is not valid: ${secretSentence}`],
    [{ url: "http://crm.example/hook" }, 'url is "http://crm.example/hook": expected an https URL'],
    [{ url: "http://203.0.113.7/hook" }, 'url is "http://203.0.113.7/hook": expected an https URL'],
    [{ url: "https://user:word@crm.example" }, 'url is "https://user:word@crm.example": expected an https URL'],
    [{ url: "ftp://127.0.0.1" }, 'url is "ftp://127.0.0.1": expected an https URL'],
    [
      { events: ["thread.deleted" as "thread.created"] },
      'events holds "thread.deleted": expected one of thread.created, ',
    ],
  ])("stops the start: %j", async (wrong, sentence) => {
    const webhooks = [{ url: "https://crm.example/hook", secret, ...wrong }];
    await expect(open({ project: { webhooks } })).rejects.toThrow(`projects["default"].webhooks[0].${sentence}`);
  });

  it.each([
    "https://crm.example/hook",
    "http://localhost:8080",
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.1.7/",
    "http://[fd00::1]/",
    "http://crm:3000/hook",
  ])("may be at %s", async (url) => {
    const { log } = await open({ project: { webhooks: [{ url, secret }] } });
    expect(log).toEqual([]);
  });
});
