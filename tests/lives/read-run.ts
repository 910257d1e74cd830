import { attachmentIdIn } from "@nitka/protocol/routes";
import { createSseDecoder } from "@nitka/protocol/sse";
import type { ToldAnswer } from "./told.ts";

/** A tool call that waits for the visitor or their page. */
export interface WaitingCall {
  readonly toolCallId: string;
  readonly kind: "approval" | "page";
}

export interface RunReading {
  /** Resolves when the stream has ended in any way. */
  readonly done: Promise<void>;
  /** The id of the last event. */
  readonly lastId: () => string | undefined;
  readonly answer: () => ToldAnswer | undefined;
  readonly isEnded: () => boolean;
  cut(): void;
}

export interface RunReadingOptions {
  readonly onCall: (call: WaitingCall) => void;
  readonly onAnswer: (answer: ToldAnswer) => void;
  /** @param fileId a file that the server stores */
  readonly onFile: (fileId: string) => void;
  readonly wrong: (text: string) => void;
  /** What an earlier stream of the same run has read. This one continues from there. */
  readonly before?: RunReading | undefined;
}

interface Told {
  readonly type: string;
  readonly messageId?: string;
  readonly delta?: string;
  readonly toolCallId?: string;
  readonly url?: string;
}

/** Reads the stream of a run like a page: each event once and in order. */
export function readRun(
  response: Response,
  { onCall, onAnswer, onFile, wrong, before }: RunReadingOptions,
): RunReading {
  const reader = response.body?.getReader();
  const decode = createSseDecoder();
  const utf8 = new TextDecoder();
  let lastId = before?.lastId();
  let answer = before?.answer();
  let isEnded = false;

  function take(data: string, id: string | undefined): void {
    if (data === "[DONE]") {
      isEnded = true;
      return;
    }
    const event = JSON.parse(data) as Told & { readonly data?: object };
    if (event.type === "data-ping") return;
    const told: Told = { ...event, ...event.data };
    if (id !== undefined && id !== lastId) {
      const [run = "", seq] = id.split(":");
      const [lastRun, last] = lastId?.split(":") ?? [run, "0"];
      if (run === lastRun && Number(seq) !== Number(last) + 1) wrong(`event ${id} comes after ${lastId ?? "nothing"}`);
      lastId = id;
    }
    if (told.type === "start" && told.messageId !== undefined) {
      answer = { id: told.messageId, text: "", end: undefined };
      onAnswer(answer);
    }
    if (told.type === "text-delta" && answer) answer.text += told.delta ?? "";
    if (answer && (told.type === "finish" || told.type === "error" || told.type === "abort")) answer.end = told.type;
    const fileId = told.type === "file" && attachmentIdIn(told.url ?? "");
    if (fileId) onFile(fileId);
    const { toolCallId } = told;
    if (toolCallId === undefined) return;
    if (told.type === "tool-approval-request") onCall({ toolCallId, kind: "approval" });
    if (told.type === "data-tool-request") onCall({ toolCallId, kind: "page" });
  }

  async function readAll(): Promise<void> {
    for (;;) {
      const next = await reader?.read();
      if (!next || next.done) return;
      for (const { data, id } of decode(utf8.decode(next.value, { stream: true }))) take(data, id);
    }
  }

  return {
    done: readAll().catch(() => undefined),
    lastId: () => lastId,
    answer: () => answer,
    isEnded: () => isEnded,
    cut: () => void reader?.cancel().catch(() => undefined),
  };
}
