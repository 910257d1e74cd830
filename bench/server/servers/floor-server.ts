/**
 * The minimum cost of durable answers on this machine: the calls, the pace, the batches and the notifications of the chat
 * server, written by hand with `node:http` and `pg`. It checks nothing, refuses nothing and recovers nothing.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenLocally } from "../../../scripts/listen-locally.mjs";
import { openFloorStorage } from "./floor-storage.ts";
import type { EventRow, FloorStorage } from "./floor-storage.ts";
import { deltaText, paceDeltas, readPace } from "./paced-deltas.ts";
import { answerCalls } from "./start-process.ts";

/** How long the chat server batches the events of runs that another instance follows, and of others. */
const FOLLOWED_MS = 80;
const ALONE_MS = 480;

/** A run of this instance. */
interface Run {
  readonly runId: string;
  readonly threadId: string;
  seq: number;
  answer: string;
  /** Events that are not appended yet. */
  unkept: string[];
  readonly followers: Set<string>;
}

/** A reader of another instance's run. */
interface Follower {
  cursor: number;
  readonly response: ServerResponse;
}

const instance = `floor_${randomUUID().slice(0, 8)}`;
const runs = new Map<string, Run>();
const followers = new Map<string, Follower>();
const toRead = new Set<string>();
let reading = false;
let storage: FloorStorage;

answerCalls({
  listen: async () => {
    storage = await openFloorStorage(process.env["BENCH_DATABASE"] ?? "", instance, onNotification);
    let ticks = 0;
    setInterval(() => {
      ticks += 1;
      void append((ticks * FOLLOWED_MS) % ALONE_MS === 0);
    }, FOLLOWED_MS);
    const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => void answer(request, response));
    return `http://127.0.0.1:${await listenLocally(server)}/`;
  },
});

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = request.method === "POST" ? await text(request) : "";
  const [threadId = "", isRun] = request.url?.split("/threads/")[1]?.split("/") ?? [];
  if (isRun === undefined) {
    const made = randomUUID();
    if (request.method === "POST") await storage.createThread(made);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ threadId: made }));
  } else if (request.method === "POST") await ask(threadId, body, response);
  else await join(threadId, response);
}

async function ask(threadId: string, body: string, response: ServerResponse): Promise<void> {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
  const question = messages[0]?.content ?? "";
  const run: Run = { runId: randomUUID(), threadId, seq: 0, answer: "", unkept: [], followers: new Set() };
  await storage.begin(run, question);
  runs.set(run.runId, run);
  openStream(response);
  const emit = (event: unknown) => {
    const data = JSON.stringify(event);
    run.seq += 1;
    run.unkept.push(data);
    if (!response.destroyed) response.write(`data: ${data}\n\n`);
  };
  emit({ type: "start", messageId: run.runId });
  emit({ type: "text-start", id: "t1" });
  paceDeltas(
    readPace(question),
    (dueAt) => {
      const delta = deltaText(dueAt);
      run.answer += delta;
      emit({ type: "text-delta", id: "t1", delta });
    },
    () => {
      emit({ type: "text-end", id: "t1" });
      void end(run, response);
    },
  );
}

async function end(run: Run, response: ServerResponse): Promise<void> {
  runs.delete(run.runId);
  await storage.end(run, run.answer, rowOf(run), noticesOf([run]));
  response.end(END);
}

async function join(threadId: string, response: ServerResponse): Promise<void> {
  const found = await storage.findRunning(threadId);
  if (!found) return void response.writeHead(204).end();
  openStream(response);
  followers.set(found.runId, { cursor: 0, response });
  await storage.notify({ channel: found.instance, payload: JSON.stringify(["follow", instance, found.runId]) });
  wake([found.runId]);
}

async function append(all: boolean): Promise<void> {
  const due = [...runs.values()].filter((run) => run.unkept.length > 0 && (all || run.followers.size > 0));
  if (due.length > 0) await storage.append(due.map(rowOf), noticesOf(due));
}

/** Takes the events that are not appended yet. */
function rowOf(run: Run): EventRow {
  const data = run.unkept.join("\n");
  run.unkept = [];
  return { runId: run.runId, seq: run.seq, data };
}

function noticesOf(of: readonly Run[]) {
  const told = Map.groupBy(
    of.flatMap((run) => [...run.followers].map((channel) => ({ channel, runId: run.runId }))),
    ({ channel }) => channel,
  );
  return [...told].map(([channel, ids]) => ({
    channel,
    payload: JSON.stringify(["events", instance, ...ids.map(({ runId }) => runId)]),
  }));
}

function onNotification(payload: string): void {
  const [type, from = "", ...runIds] = JSON.parse(payload) as readonly string[];
  if (type === "events") return wake(runIds);
  for (const runId of runIds) runs.get(runId)?.followers.add(from);
  // Earlier events are not notified any more, so the follower reads once again.
  void storage.notify({ channel: from, payload: JSON.stringify(["events", instance, ...runIds]) });
}

function wake(runIds: readonly string[]): void {
  for (const runId of runIds) if (followers.has(runId)) toRead.add(runId);
  if (toRead.size > 0 && !reading) void readDue();
}

/** One read at a time covers all runs that have grown meanwhile. */
async function readDue(): Promise<void> {
  reading = true;
  while (toRead.size > 0) {
    const cursors = [...toRead].map((runId): [string, number] => [runId, followers.get(runId)?.cursor ?? 0]);
    toRead.clear();
    for (const [runId, { rows, over }] of await storage.read(new Map(cursors))) {
      const follower = followers.get(runId);
      if (!follower) continue;
      const lines = rows.flatMap(({ data }) => data.split("\n"));
      follower.cursor = rows.at(-1)?.seq ?? follower.cursor;
      if (over) followers.delete(runId);
      const frames = lines.map((data) => `data: ${data}\n\n`).join("") + (over ? END : "");
      if (over) follower.response.end(frames);
      else if (frames !== "") follower.response.write(frames);
    }
  }
  reading = false;
}

const END = 'data: {"type":"finish"}\n\ndata: [DONE]\n\n';

function openStream(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
  response.flushHeaders();
}
