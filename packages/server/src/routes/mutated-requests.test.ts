import { describe, expect, it } from "vitest";
import { Client, ORIGIN, greeter, serverOpener } from "../contract/server.contract.ts";
import { listener } from "../contract/listen.contract.ts";

const open = serverOpener();
const listen = listener();

const REQUESTS = process.env["NITKA_THOROUGH"] === undefined ? 1_600 : 5_000;

/** A repeatable pseudo-random source: the same seed gives the same requests. */
function chances(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, one: <T>(list: readonly T[]): T => list[below(list.length)] as T };
}

type Chances = ReturnType<typeof chances>;

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  " ",
  "\0",
  "\ud800",
  "a".repeat(300),
  "../..",
  "<script>",
  "data:,",
  "data:image/png;base64,AAAA",
  [],
  {},
  [[[[]]]],
  { type: "text" },
  { type: "text", text: 7 },
  { __proto__: { admin: true } },
  "__proto__",
  "😀",
];

/** A value with one place in it changed to something strange, left out, doubled or wrapped. */
function mutate(value: unknown, chance: Chances): unknown {
  if (chance.below(4) === 0 || typeof value !== "object" || value === null) return chance.one(strange);
  if (Array.isArray(value)) {
    const at = chance.below(value.length + 1);
    if (at === value.length) return [...(value as unknown[]), chance.one(strange)];
    return (value as unknown[]).with(at, mutate(value[at], chance));
  }
  const entries = Object.entries(value);
  const at = chance.below(entries.length + 1);
  const [name, inner] = entries[at] ?? [String(chance.one(strange)), chance.one(strange)];
  const kept = entries.filter(([other]) => other !== name);
  return Object.fromEntries(chance.below(5) === 0 ? kept : [...kept, [name, mutate(inner, chance)]]);
}

/** A text with a few of its characters changed, cut or doubled. */
function garble(text: string, chance: Chances): string {
  let garbled = text;
  for (let n = chance.below(4); n > 0; n -= 1) {
    const at = chance.below(garbled.length + 1);
    const piece = chance.one(["", "\0", '"', "{", "}", "\\", "%", "/", "?", "é", "\ud83d", garbled.slice(0, 20)]);
    garbled = garbled.slice(0, at) + piece + garbled.slice(at + chance.below(3));
  }
  return garbled;
}

function requestsFor(threadId: string, attachmentId: string): readonly (readonly [string, string, unknown])[] {
  const thread = `/api/debug/threads/${threadId}`;
  const message = {
    id: "q1",
    role: "user",
    content: [{ type: "text", text: "a" }],
    parentId: null,
    attachments: [{ id: attachmentId, url: "x" }],
  };
  return [
    ["GET", "/api/projects/default/config", undefined],
    ["GET", "/api/debug/threads?limit=5&before=abc", undefined],
    ["POST", "/api/debug/threads", {}],
    ["GET", `${thread}/messages`, undefined],
    ["POST", `${thread}/rename`, { title: "Погода" }],
    ["POST", `${thread}/branch`, { messageId: "q1" }],
    ["POST", `${thread}/run/stream?cursor=1`, { messages: [message], trigger: "submit-message", model: "scripted" }],
    ["GET", `${thread}/run/stream?after=run1:3`, undefined],
    ["POST", `${thread}/run/cancel`, {}],
    ["POST", `${thread}/messages/a1/feedback`, { rating: "down", reason: "Не то" }],
    [
      "POST",
      `${thread}/attachments`,
      "--x\r\ncontent-disposition: form-data; name=file; filename=a.txt\r\n\r\nHi\r\n--x--\r\n",
    ],
    ["GET", `/api/debug/attachments/${attachmentId}`, undefined],
    ["POST", "/api/debug/visitor/claim", { token: "nitka1.abc.123.def" }],
    ["DELETE", "/api/debug/visitor", undefined],
    ["GET", "/openapi.json", undefined],
  ];
}

const methods = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "PROPFIND"];
const types = [
  "application/json",
  "application/json; charset=utf-16",
  "multipart/form-data; boundary=x",
  "text/plain",
  "",
  "a/b;c",
];

describe("mutated requests", () => {
  it("each get a response other than 5xx, and the server still works", async () => {
    const unlimited = {
      messagesPerMinute: null,
      addressMessagesPerMinute: null,
      threadsPerMinute: null,
      uploadsPerMinute: null,
      requestsPerMinute: null,
      threads: null,
    };
    const { server, visitor } = await open({
      model: greeter,
      project: { limits: unlimited, secret: "the host's secret" },
    });
    const base = await listen(server);
    const client = await visitor();
    const threadId = await client.newThread();
    const attachment = (await (
      await client.upload(threadId, new File(["a"], "a.txt", { type: "text/plain" }))
    ).json()) as { id: string };
    const erased = await visitor();
    const templates = requestsFor(threadId, attachment.id);
    const chance = chances(20_261_121);
    const statuses = new Map<number, number>();

    async function send(): Promise<void> {
      const [method, path, body] = chance.one(templates);
      const { cookie = "" } = method === "DELETE" ? erased : client;
      const headers = new Headers({
        "content-type": chance.below(3) ? (types[typeof body === "string" ? 2 : 0] ?? "") : chance.one(types),
      });
      if (chance.below(5)) headers.set("cookie", chance.below(8) ? cookie : garbleHeader(cookie, chance));
      if (chance.below(12) === 0) headers.set("authorization", garbleHeader("Bearer nitka1.abc.123.def", chance));
      if (chance.below(12) === 0)
        headers.set("origin", chance.one(["null", ORIGIN, "https://evil.example", "a b", ""]));
      if (chance.below(12) === 0)
        headers.set("last-event-id", chance.one(["-1", "run1:1e9", ":", "run1:99999999999999999999"]));
      const changed = typeof body === "string" ? body : JSON.stringify(chance.below(3) ? mutate(body, chance) : body);
      const sent = chance.below(3) === 0 ? garble(changed ?? "", chance) : changed;
      const asked = chance.below(10) === 0 ? chance.one(methods) : method;
      const target = chance.below(4) === 0 ? garblePath(path, chance) : path;
      const init =
        asked === "GET" || asked === "HEAD" ? { method: asked, headers } : { method: asked, headers, body: sent ?? "" };
      const response = chance.below(2)
        ? await server.fetch(new Request(ORIGIN + target, init))
        : await fetch(base + target, init);
      await response.text();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }

    for (let sent = 0; sent < REQUESTS; sent += 20) await Promise.all(Array.from({ length: 20 }, send));
    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 415, 422]));
    expect((await new Client(server).get("/readyz")).status).toBe(200);
    expect((await client.messages(threadId)).length).toBeGreaterThan(0);
  });
});

function garblePath(path: string, chance: Chances): string {
  return `/${garble(path.slice(1), chance).toWellFormed().replaceAll(/[\0#]/g, "%00").replace(/^\/+/, "")}`;
}

/** The characters that a client library allows in a header. */
function garbleHeader(value: string, chance: Chances): string {
  return garble(value, chance).replaceAll(/[^\x20-\x7e]/g, "");
}
