/**
 * Names for statements that come again. Postgres parses and plans a named statement once on each connection, which costs
 * it several times as much as running a small one.
 */
export interface PreparedStatements {
  /** The name under which to send a statement; `undefined` for one that is sent without a name. */
  nameOf(text: string): string | undefined;
  /** To be called with each error of a statement: after one that shows a hidden pooler, no statement is named. */
  learn(error: unknown): void;
}

/** A statement is named when it is sent for this time. Those of rare operations stay out of the database's memory. */
const NAMED_FROM = 3;

/** The most names, since a connection keeps the plan of each. The storage sends about forty statements again and again. */
const MAX_NAMES = 100;

/** The most texts that are counted. Some texts are as long as their lists, so there is no end of them. */
const MAX_COUNTED = 1000;

/**
 * A statement that the client has prepared is not on the connection, or one that it has not prepared is
 * (invalid_sql_statement_name, duplicate_prepared_statement): the connection is another client's at times.
 */
const NOT_OURS: ReadonlySet<unknown> = new Set(["26000", "42P05"]);

/** Postgres refuses a prepared statement whose columns have changed, which `*` does when a migration adds one. */
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
      stopped ||= error instanceof Error && "code" in error && NOT_OURS.has(error.code);
    },
  };
}
