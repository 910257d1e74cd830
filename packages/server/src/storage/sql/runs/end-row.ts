import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Message } from "@nitka/protocol";
import type { EndOptions } from "../../storage.ts";
import { columnsOfAnswer } from "../rows/message-row.ts";
import { columnsOfUsed } from "../rows/run-row.ts";
import { endColumns } from "../rows/written-columns.ts";
import type { EndColumnName, EndValues } from "../rows/written-columns.ts";
import { utcTime } from "../utc-time.ts";

export interface RunEnd extends EndOptions {
  readonly runId: string;
  readonly answer: Message;
  readonly at: string;
}

/** The columns that an end writes into the row of its run, and into the row of its answer. */
export interface EndRow {
  readonly run: EndValues<"run"> & { readonly ended_at: string };
  readonly message: EndValues<"message">;
}

export function rowOfEnd({ answer, at, log, used = [], figures }: RunEnd): EndRow {
  const { model_id = null, input_tokens = null, cached_tokens = null, output_tokens = null } = columnsOfUsed(used);
  const message = columnsOfAnswer(answer);
  return {
    run: {
      status: answer.status?.type === "complete" ? "complete" : "incomplete",
      ended_at: utcTime(at),
      checkpoint_seq: log?.seq ?? null,
      model_id,
      input_tokens,
      cached_tokens,
      output_tokens,
      first_token_ms: figures?.firstTokenMs ?? null,
      rejoins: figures?.rejoins ?? null,
      reason: message.reason,
    },
    message,
  };
}

/** An end's assignments in the SET of an update. */
export function setEnd<Table extends "run" | "message">(
  table: Table,
  valueOf: (name: EndColumnName<Table>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    endColumns(table).map(({ name, atEnd }) => {
      const value = valueOf(name);
      return sql`${sql.id(name)} = ${atEnd === "kept" ? sql`coalesce(${value}, ${sql.id(table, name)})` : value}`;
    }),
  );
}
