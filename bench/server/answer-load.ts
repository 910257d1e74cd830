/** A process that reads whole answers and measures how many fail, and how soon they begin and end. */
import type { IncomingMessage } from "node:http";
import { routes } from "@nitka/protocol/routes";
import { percentile } from "../report.ts";
import { createLoadClient, spread } from "./load-client.ts";
import type { LoadClient } from "./load-client.ts";
import { dueTimesIn, now } from "./servers/paced-deltas.ts";
import type { Pace } from "./servers/paced-deltas.ts";
import { answerCalls } from "./servers/start-process.ts";

export interface AnswerLoad {
  /** One URL for each instance. The answers are distributed in turn. */
  readonly urls: readonly string[];
  readonly answers: number;
  readonly pace: Pace;
  /** The milliseconds over which the answers start evenly. */
  readonly overMs: number;
  /** Every nth answer is read on another instance than the one that writes it; 0 for none. */
  readonly followEvery: number;
}

/** The results, in milliseconds. */
export interface AnswersSeen {
  readonly events: number;
  /** The number of answers without all of their deltas and `finish`. */
  readonly failed: number;
  /** From the question to the first byte of its answer. */
  readonly firstByte: Percentiles;
  /** From the due time of the last delta to `finish`. */
  readonly finish: Percentiles;
}

export interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

interface Answer {
  events: number;
  readonly firstByte: number;
  lastDue: number;
  finishedAt: number | undefined;
}

answerCalls({
  answers: async (load: AnswerLoad): Promise<AnswersSeen> => {
    const client = createLoadClient();
    await client.visit(load.urls[0] ?? "");
    const reading = await spread(load.answers, load.overMs, async (n) => ({ whole: ask(client, load, n) }));
    const answers = await Promise.all(reading.map(({ whole }) => whole));
    const complete = answers.filter((answer) => answer !== undefined);
    return {
      events: complete.reduce((sum, { events }) => sum + events, 0),
      failed: answers.filter((answer) => !isWhole(answer, load.pace)).length,
      firstByte: percentiles(complete.map(({ firstByte }) => firstByte)),
      finish: percentiles(complete.flatMap(({ finishedAt, lastDue }) => (finishedAt ? [finishedAt - lastDue] : []))),
    };
  },
  /** Reads answers of the raw server and only counts their events. */
  rawAnswers: async (url: string, answers: number, pace: Pace, overMs: number): Promise<number> => {
    const client = createLoadClient();
    const reading = await spread(answers, overMs, async () => ({
      whole: client.send(url, JSON.stringify(pace)).then((response) => read(response, now())),
    }));
    const all = await Promise.all(reading.map(({ whole }) => whole));
    return all.reduce((sum, { events }) => sum + events, 0);
  },
});

/** `undefined` if the answer did not begin. */
async function ask(client: LoadClient, load: AnswerLoad, n: number): Promise<Answer | undefined> {
  const { urls, pace, followEvery } = load;
  const own = urls[n % urls.length] ?? "";
  const elsewhere = urls[(n + 1) % urls.length] ?? "";
  try {
    const threadId = await client.createThread(own);
    const askedAt = now();
    const asked = await client.ask(own, threadId, pace);
    if (followEvery === 0 || n % followEvery !== 0) return await read(asked, askedAt);
    const firstByte = await firstByteOf(asked, askedAt);
    asked.destroy();
    const joined = await client.send(new URL(routes.run(threadId), elsewhere).href);
    return { ...(await read(joined, now())), firstByte };
  } catch {
    return undefined;
  }
}

function firstByteOf(response: IncomingMessage, since: number): Promise<number> {
  return new Promise((resolve, reject) => {
    response.once("data", () => resolve(now() - since));
    response.once("error", reject);
    response.once("end", () => reject(new Error(`A stream ended empty, with ${response.statusCode}`)));
  });
}

/** An answer that takes longer than this has failed. */
const PATIENCE_MS = 60_000;

/** Resolves when the stream ends, whether it finishes, fails or breaks. */
function read(response: IncomingMessage, since: number): Promise<Answer> {
  const answer: Answer = { events: 0, firstByte: 0, lastDue: 0, finishedAt: undefined };
  let first: number | undefined;
  // A chunk may end inside a frame, whose beginning is kept for the next chunk.
  let rest = "";
  response.setEncoding("utf8");
  response.on("error", () => undefined);
  response.on("data", (text: string) => {
    const at = now();
    first ??= at - since;
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const due of dueTimesIn(frames.join("\n"))) {
      answer.events += 1;
      answer.lastDue = Math.max(answer.lastDue, due);
    }
    if (frames.some((frame) => frame.includes('"type":"finish"'))) answer.finishedAt = at;
  });
  const patience = setTimeout(() => response.destroy(), PATIENCE_MS);
  return new Promise((resolve) => {
    response.once("close", () => clearTimeout(patience));
    response.once("close", () => resolve({ ...answer, firstByte: first ?? Number.POSITIVE_INFINITY }));
  });
}

function isWhole(answer: Answer | undefined, { deltas }: Pace): boolean {
  return answer?.events === deltas && answer.finishedAt !== undefined;
}

function percentiles(values: readonly number[]): Percentiles {
  return { p50: percentile(values, 0.5), p99: percentile(values, 0.99), max: percentile(values, 1) };
}
