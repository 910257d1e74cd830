import type { MessageTable, RunTable } from "../schema.ts";

interface Tables {
  readonly run: RunTable;
  readonly message: MessageTable;
}

export interface WrittenColumn {
  readonly type: "text" | "integer";
  /**
   * Whether the end of a run writes the column. `set`: always. `kept`: only when there is a value; a null keeps what is
   * stored.
   */
  readonly atEnd?: "set" | "kept";
}

/**
 * The columns of runs and messages. On both databases, each statement that begins a run writes all of them, and each
 * statement that ends a run writes those with `atEnd`. A missing column is a type error.
 */
export const writtenColumns = {
  run: {
    run_id: { type: "text" },
    thread_id: { type: "text" },
    project_id: { type: "text" },
    visitor_id: { type: "text" },
    question_id: { type: "text" },
    answer_id: { type: "text" },
    instance_id: { type: "text" },
    status: { type: "text", atEnd: "set" },
    position: { type: "integer" },
    started_at: { type: "text" },
    ended_at: { type: "text", atEnd: "set" },
    checkpoint_seq: { type: "integer", atEnd: "kept" },
    cancel_requested: { type: "integer" },
    model_id: { type: "text", atEnd: "kept" },
    reserved_tokens: { type: "integer" },
    input_tokens: { type: "integer", atEnd: "kept" },
    cached_tokens: { type: "integer", atEnd: "kept" },
    output_tokens: { type: "integer", atEnd: "kept" },
    first_token_ms: { type: "integer", atEnd: "set" },
    rejoins: { type: "integer", atEnd: "set" },
    reason: { type: "text", atEnd: "set" },
    rating: { type: "text" },
    telling: { type: "text" },
  },
  message: {
    thread_id: { type: "text" },
    id: { type: "text" },
    position: { type: "integer" },
    parent_id: { type: "text" },
    role: { type: "text" },
    content: { type: "text", atEnd: "set" },
    attachments: { type: "text" },
    status: { type: "text", atEnd: "set" },
    reason: { type: "text", atEnd: "set" },
    error: { type: "text", atEnd: "set" },
    code: { type: "text", atEnd: "set" },
    created_at: { type: "text" },
    suggestions: { type: "text", atEnd: "kept" },
    rating: { type: "text" },
    rating_reason: { type: "text" },
  },
} as const satisfies {
  readonly [Table in keyof Tables]: Readonly<Record<keyof Tables[Table], WrittenColumn>>;
};

type Columns = typeof writtenColumns;

export type EndColumnName<Table extends keyof Tables> = {
  [Name in keyof Columns[Table]]: Columns[Table][Name] extends { readonly atEnd: string } ? Name : never;
}[keyof Columns[Table]] &
  keyof Tables[Table] &
  string;

/** The values that an end writes into a row. */
export type EndValues<Table extends keyof Tables> = {
  readonly [Name in EndColumnName<Table>]: Tables[Table][Name] | null;
};

interface EndColumn<Table extends keyof Tables> extends WrittenColumn {
  readonly name: EndColumnName<Table>;
}

/** The columns that an end writes. */
export function endColumns<Table extends keyof Tables>(table: Table): readonly EndColumn<Table>[] {
  return Object.entries<WrittenColumn>(writtenColumns[table]).flatMap(([name, column]) =>
    column.atEnd ? [{ ...column, name: name as EndColumnName<Table> }] : [],
  );
}

/** The types of these columns. */
export function endTypes<Table extends keyof Tables>(
  table: Table,
): Readonly<Record<EndColumnName<Table>, WrittenColumn["type"]>> {
  const types = endColumns(table).map(({ name, type }) => [name, type]);
  return Object.fromEntries(types) as Record<EndColumnName<Table>, WrittenColumn["type"]>;
}
