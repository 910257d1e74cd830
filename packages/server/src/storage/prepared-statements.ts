import { errorCode } from "./error-code.ts";

/**
 * Names for repeated statements. Postgres parses and plans a named statement once per connection, and these steps cost
 * several times as much as running a small statement.
 */
export interface PreparedStatements {
  /** The name to send a statement under; `undefined` when the statement is to be sent without a name. */
  nameOf(text: string): string | undefined;
  /**
   * To be called with each error of a statement. After an error that reveals a pooler, no statement is named any more.
   */
  learn(error: unknown): void;
}

/**
 * A statement gets a name when it is sent for the third time. Rare statements therefore take no memory of the database.
 */
const NAMED_FROM = 3;

/** The most names: a connection keeps the plan of each. The storage repeats about forty statements. */
const MAX_NAMES = 100;

/**
 * The most texts that are counted. The text of some statements grows with their lists, so the number of texts is
 * unbounded.
 */
const MAX_COUNTED = 1000;

/**
 * invalid_sql_statement_name, duplicate_prepared_statement: a statement that this client has prepared is missing, or
 * one that it has not prepared exists. A pooler shares the connection with other clients.
 */
const NOT_OURS: ReadonlySet<string> = new Set(["26000", "42P05"]);

/**
 * Postgres refuses a prepared statement whose result columns have changed. A migration that adds a column does that to
 * `*`.
 */
const ALL_COLUMNS = /\b(?:select|returning) \*|\.\*/;

/**
 * @example
 * const { nameOf } = createPreparedStatements();
 * nameOf("select 1"); // undefined
 * nameOf("select 1"); // undefined
 * nameOf("select 1"); // "nitka_1"
 * nameOf("select 1"); // "nitka_1"
 */
export function createPreparedStatements(): PreparedStatements {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let stopped = false;
  return {
    nameOf(text) {
      if (stopped) return undefined;
      const name = names.get(text);
      if (name !== undefined || names.size >= MAX_NAMES) return name;
      const count = (counts.get(text) ?? 0) + 1;
      if (count < NAMED_FROM || ALL_COLUMNS.test(text)) {
        if (counts.size >= MAX_COUNTED) counts.clear();
        counts.set(text, count);
        return undefined;
      }
      counts.delete(text);
      const given = `nitka_${names.size + 1}`;
      names.set(text, given);
      return given;
    },
    learn(error) {
      stopped ||= NOT_OURS.has(errorCode(error));
    },
  };
}
