import type { Message } from "@nitka/protocol";
import { columnsOfAnswer } from "./message-row.ts";
import { columnsOfUsed } from "./run-row.ts";
import type { EndOptions } from "../storage.ts";
import type { MessageTable, RunTable } from "./schema.ts";
import { utcTime } from "./utc-time.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** The columns of an end. */
export interface EndRow
  extends
    Pick<RunTable, "run_id" | "model_id" | "input_tokens" | "cached_tokens" | "output_tokens">,
    Pick<RunTable, "first_token_ms" | "rejoins">,
    Pick<MessageTable, "content" | "status" | "reason" | "error" | "code" | "suggestions"> {
  /** The status of the run. */
  readonly outcome: string;
  readonly at: string;
  readonly seq: number | null;
}

export function rowOfEnd({ runId, answer, at, log, used = [], figures }: RunEnd): EndRow {
  const { content, status, reason, error, code, suggestions } = columnsOfAnswer(answer);
  const { model_id = null, input_tokens = null, cached_tokens = null, output_tokens = null } = columnsOfUsed(used);
  return {
    run_id: runId,
    outcome: answer.status?.type === "complete" ? "complete" : "incomplete",
    at: utcTime(at),
    seq: log?.seq ?? null,
    model_id,
    input_tokens,
    cached_tokens,
    output_tokens,
    first_token_ms: figures?.firstTokenMs ?? null,
    rejoins: figures?.rejoins ?? null,
    content,
    status,
    reason,
    error,
    code,
    suggestions,
  };
}
