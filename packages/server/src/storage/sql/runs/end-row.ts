import type { Message } from "@nitka/protocol";
import type { EndOptions } from "../../storage.ts";
import { columnsOfAnswer } from "../rows/message-row.ts";
import { columnsOfUsed } from "../rows/run-row.ts";
import type { MessageTable, RunTable } from "../schema.ts";
import { utcTime } from "../utc-time.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** A column that an end writes. `from` is its name in `EndRow`. With `kept` a null leaves what is stored. */
export interface EndColumn {
  readonly column: string;
  readonly from: string;
  readonly type: "text" | "integer";
  readonly kept?: true;
}

/**
 * What an end writes into the row of its run, and into that of its answer: for each statement that ends runs. What is missing
 * here is written by none of them.
 */
export const runEndColumns = [
  { column: "status", from: "outcome", type: "text" },
  { column: "ended_at", from: "at", type: "text" },
  { column: "checkpoint_seq", from: "seq", type: "integer", kept: true },
  { column: "model_id", from: "model_id", type: "text", kept: true },
  { column: "input_tokens", from: "input_tokens", type: "integer", kept: true },
  { column: "cached_tokens", from: "cached_tokens", type: "integer", kept: true },
  { column: "output_tokens", from: "output_tokens", type: "integer", kept: true },
  { column: "first_token_ms", from: "first_token_ms", type: "integer" },
  { column: "rejoins", from: "rejoins", type: "integer" },
  { column: "reason", from: "reason", type: "text" },
] as const satisfies readonly (EndColumn & { readonly column: keyof RunTable })[];

export const answerEndColumns = [
  { column: "content", from: "content", type: "text" },
  { column: "status", from: "status", type: "text" },
  { column: "reason", from: "reason", type: "text" },
  { column: "error", from: "error", type: "text" },
  { column: "code", from: "code", type: "text" },
  { column: "suggestions", from: "suggestions", type: "text", kept: true },
] as const satisfies readonly (EndColumn & { readonly column: keyof MessageTable })[];

type RunColumn = (typeof runEndColumns)[number];
type AnswerColumn = (typeof answerEndColumns)[number];

/** The values of an end. A null that is not kept is stored. */
export type EndRow = Pick<RunTable, "run_id"> & {
  readonly [Column in RunColumn as Column["from"]]: RunTable[Column["column"]] | null;
} & {
  readonly [Column in AnswerColumn as Column["from"]]: MessageTable[Column["column"]];
} & { readonly at: string };

export function rowOfEnd({ runId, answer, at, log, used = [], figures }: RunEnd): EndRow {
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
    ...columnsOfAnswer(answer),
  };
}
