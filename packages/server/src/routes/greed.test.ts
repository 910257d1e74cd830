import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import type { Thread } from "@nitka/protocol";
import type { NodeBindings } from "../http/node-bindings.ts";
import { createHeldModel } from "../contract/held-model.contract.ts";
import { Client, refusalOf, serverOpener } from "../contract/server.contract.ts";
import type { Opened, OpenOptions } from "../contract/server.contract.ts";

const opener = serverOpener();

/** Addresses come from the connections unless the test sets another source. */
const open = (options: OpenOptions = {}) => opener({ clientAddress: undefined, ...options });

/** A connection from an address, as Node's server passes it. */
function from(address: string): NodeBindings {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: address });
  return { incoming: new IncomingMessage(socket) };
}

/** Makes a thread without a cookie, and asks in it. Returns 200, or the refusal. */
async function newVisitorAsks({ server }: Opened, bindings: NodeBindings, projectId = "default"): Promise<string> {
  const request = (path: string, body: unknown, cookie?: string) =>
    server.fetch(
      new Request(`http://nitka.test/p/${projectId}/api/debug/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...(cookie === undefined ? {} : { cookie }) },
        body: JSON.stringify(body),
      }),
      bindings,
    );
  const made = await request("threads", {});
  if (!made.ok) return refusalOf(made);
  const { threadId } = (await made.json()) as Thread;
  const messages = [{ id: "q1", role: "user", content: "Привет" }];
  const asked = await request(`threads/${threadId}/run/stream`, { messages }, made.headers.get("set-cookie") ?? "");
  return asked.ok ? "200" : refusalOf(asked);
}

async function count(outcomes: readonly Promise<string>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const outcome of await Promise.all(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

function times<T>(number: number, make: () => T): T[] {
  return Array.from({ length: number }, make);
}

describe("an address", () => {
  it("has a limit of concurrent runs over all its visitors", async () => {
    let now = Date.UTC(2026, 10, 21);
    const opened = await open({ model: createHeldModel(), clock: () => new Date(now) });
    let begun = 0;
    for (let minute = 0; minute < 5; minute += 1) {
      const counts = await count(times(50, () => newVisitorAsks(opened, from("203.0.113.7"))));
      begun += counts["200"] ?? 0;
      now += 60_000;
    }
    expect(begun).toBe(20);
    expect(await newVisitorAsks(opened, from("203.0.113.8"))).toBe("200");
  });

  it("has one limit of runs for all projects together", async () => {
    const models = [createHeldModel()];
    const opened = await open({ projects: { default: { models }, shop: { models } } });
    await count(times(20, () => newVisitorAsks(opened, from("203.0.113.7"))));
    expect(await newVisitorAsks(opened, from("203.0.113.7"), "shop")).toBe("429 rate_limited");
  });

  it("is a /64 network for IPv6, and the networks of a /48 site have four times its limit", async () => {
    const limits = { addressRunsAtOnce: 1 };
    const opened = await open({ model: createHeldModel(), project: { limits } });
    const outcomes: string[] = [];
    for (let n = 0; n < 6; n += 1) outcomes.push(await newVisitorAsks(opened, from(`2001:db8:1:${n}::1`)));
    outcomes.push(await newVisitorAsks(opened, from("2001:db8:2::1")));
    expect(outcomes).toEqual(["200", "200", "200", "200", "429 rate_limited", "429 rate_limited", "200"]);
  });

  it("may begin runs again when its runs have ended", async () => {
    const model = createHeldModel();
    const opened = await open({ model, project: { limits: { addressRunsAtOnce: 1 } } });
    expect(await newVisitorAsks(opened, from("203.0.113.7"))).toBe("200");
    expect(await newVisitorAsks(opened, from("203.0.113.7"))).toBe("429 rate_limited");
    model.write("Да");
    model.end();
    await expect.poll(() => newVisitorAsks(opened, from("203.0.113.7"))).toBe("200");
  });

  it("may send sixty questions per minute, in bursts of twenty", async () => {
    let now = Date.UTC(2026, 10, 21);
    const limits = { addressRunsAtOnce: null };
    const opened = await open({ model: createHeldModel(), project: { limits }, clock: () => new Date(now) });
    const ask = () => count(times(25, () => newVisitorAsks(opened, from("203.0.113.7"))));
    expect(await ask()).toEqual({ "200": 20, "429 rate_limited": 5 });
    now += 10_000;
    expect(await ask()).toEqual({ "200": 10, "429 rate_limited": 15 });
  });

  it("may make few visitors and threads: each counts as several requests", async () => {
    const now = new Date();
    const { server } = await open({ clock: () => now });
    const passing = async (send: (client: Client) => Promise<Response>) => {
      let passed = 0;
      while (passed < 500 && (await send(new Client(server))).ok) passed += 1;
      return passed;
    };
    expect(await passing((client) => client.get("/api/projects/default/config"))).toBe(120);
  });

  it("is the one that clientAddress returns", async () => {
    const opened = await open({
      model: createHeldModel(),
      project: { limits: { addressRunsAtOnce: 1 } },
      clientAddress: (request) => request.headers.get("x-real-address") ?? undefined,
    });
    const client = await opened.visitor();
    const ask = async (address: string) => {
      const threadId = await client.newThread();
      const headers = { "content-type": "application/json", "x-real-address": address };
      const body = JSON.stringify({ messages: [{ id: "q1", role: "user", content: "Привет" }] });
      return (await client.fetch(`threads/${threadId}/run/stream`, { method: "POST", headers, body })).status;
    };
    expect([await ask("192.0.2.1"), await ask("192.0.2.1"), await ask("192.0.2.2")]).toEqual([200, 429, 200]);
  });

  it("is one for all requests without an address, and the log reports that once", async () => {
    const opened = await open({ model: createHeldModel(), project: { limits: { addressRunsAtOnce: 2 } } });
    expect(await count(times(5, () => newVisitorAsks(opened, {})))).toEqual({ "200": 2, "429 rate_limited": 3 });
    const warnings = opened.log.filter(({ level }) => level === "warn").map(({ text }) => text);
    expect(warnings).toEqual([expect.stringContaining("clientAddress"), "a request was refused"]);
  });
});

describe("an untrusted proxy", () => {
  it("is logged once, because all its visitors share one address", async () => {
    const { server, log } = await open();
    const send = () =>
      server.fetch(
        new Request("http://nitka.test/api/debug/threads", { headers: { "x-forwarded-for": "203.0.113.7" } }),
        from("10.0.0.1"),
      );
    await send();
    await send();
    const warnings = log.filter(({ level }) => level === "warn").map(({ text }) => text);
    expect(warnings).toEqual([expect.stringContaining("NITKA_TRUSTED_PROXIES")]);
  });
});

describe("a project", () => {
  it("has a limit of concurrent runs over all its visitors", async () => {
    const models = [createHeldModel()];
    const limits = { projectRunsAtOnce: 3 };
    const opened = await open({ projects: { default: { models, limits }, shop: { models } } });
    let address = 0;
    const next = () => from(`203.0.113.${(address += 1)}`);
    const counts = await count(times(5, () => newVisitorAsks(opened, next())));
    expect(counts).toEqual({ "200": 3, "503 overloaded": 2 });
    expect(await newVisitorAsks(opened, next(), "shop")).toBe("200");
  });
});

describe("a question that is refused because of its visitor's other runs", () => {
  it("does not count against the visitor's questions", async () => {
    const model = createHeldModel();
    const { visitor } = await open({ model, project: { limits: { messagesPerMinute: 10, runsAtOnce: 1 } } });
    const client = await visitor();
    const first = await client.newThread();
    await client.ask(first, { id: "q1" });
    const other = await client.newThread();
    for (let n = 0; n < 20; n += 1) {
      const refused = (await (await client.ask(other, { id: "q1" })).json()) as { error: { message: string } };
      expect(refused.error.message).toContain("Wait until one has ended");
    }
    await client.post(`threads/${first}/run/cancel`, {});
    expect((await client.ask(other, { id: "q1" })).status).toBe(200);
  });
});
