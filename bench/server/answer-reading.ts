import type { BenchVisitor } from "./bench-visitor.ts";
import { dueTimesIn } from "./servers/paced-deltas.ts";
import type { Pace } from "./servers/paced-deltas.ts";

/** An answer as its reader sees it. */
export interface Reading {
  readonly threadId: string;
  readonly pace: Pace;
  text: string;
  /** The type of the last event, or the error that broke the stream; `none` while it is read. */
  end: string;
  endedAt: number;
}

export function newReading(threadId: string, pace: Pace): Reading {
  return { threadId, pace, text: "", end: "none", endedAt: 0 };
}

/** Asks the first question of a thread and reads its answer until the stream ends or breaks. */
export async function readAnswer(visitor: BenchVisitor, url: string, reading: Reading, id: string): Promise<void> {
  const question = { id, role: "user", content: JSON.stringify(reading.pace), parentId: null } as const;
  let end = "a stream without an end";
  try {
    for await (const event of visitor.ask(url, reading.threadId, question)) {
      if (event.type === "text-delta") reading.text += event.delta;
      if (event.type === "finish" || event.type === "error" || event.type === "abort") end = event.type;
    }
  } catch (error) {
    end = String(error);
  }
  reading.end = end;
  reading.endedAt = Date.now();
}

/** Whether the reader has got every delta, and the end. */
export function isWhole({ text, end, pace }: Reading): boolean {
  return end === "finish" && dueTimesIn(text).length === pace.deltas;
}
