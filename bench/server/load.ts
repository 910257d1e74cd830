/** A process that reads many streams. */
import type { IncomingMessage } from "node:http";
import { percentile } from "../report.ts";
import { createLoadClient, spread } from "./load-client.ts";
import { dueTimesIn, now } from "./servers/paced-deltas.ts";
import type { Pace } from "./servers/paced-deltas.ts";
import { answerCalls } from "./servers/start-process.ts";

/** The results since the last call. */
export interface Seen {
  readonly events: number;
  /** Milliseconds from the due time of an event until it was read. */
  readonly p50: number;
  readonly p99: number;
  readonly open: number;
  readonly failed: number;
}

const client = createLoadClient();
let lateness: number[] = [];
let events = 0;
let open = 0;
let failed = 0;

answerCalls({
  /** Opens streams evenly over `overMs`, and resolves when all are open. */
  openRaw: (url: string, count: number, pace: Pace, overMs: number) =>
    spread(count, overMs, async () => stream(await client.send(url, JSON.stringify(pace)))),
  /** The same at a route of the AI SDK. */
  openRoute: (url: string, count: number, pace: Pace, overMs: number) => {
    const question = { id: "m1", role: "user", parts: [{ type: "text", text: JSON.stringify(pace) }] };
    const body = JSON.stringify({ messages: [question] });
    return spread(count, overMs, async () => stream(await client.send(url, body)));
  },
  openChat: async (url: string, count: number, pace: Pace, overMs: number) => {
    await client.visit(url);
    await spread(count, overMs, () => chatStream(url, pace));
  },
  /** Runs conversations to their ends, several in parallel. */
  converse: async (url: string, lines: number, each: number, pace: Pace) => {
    await client.visit(url);
    const line = async () => {
      for (let n = 0; n < each; n += 1) await (await chatStream(url, pace)).ended;
    };
    await Promise.all(Array.from({ length: lines }, line));
  },
  seen: (): Seen => {
    const seen = { events, p50: percentile(lateness, 0.5), p99: percentile(lateness, 0.99), open, failed };
    lateness = [];
    events = 0;
    return seen;
  },
});

async function chatStream(url: string, pace: Pace) {
  return stream(await client.ask(url, await client.createThread(url), pace));
}

/** Watches a stream that has opened. */
function stream(response: IncomingMessage): { readonly ended: Promise<void> } {
  if (response.statusCode !== 200) failed += 1;
  open += 1;
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const at = now();
    for (const due of dueTimesIn(text)) {
      events += 1;
      lateness.push(at - due);
    }
  });
  return {
    ended: new Promise((resolve) => {
      response.once("close", () => {
        open -= 1;
        resolve();
      });
    }),
  };
}
