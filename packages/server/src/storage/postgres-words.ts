import { sql } from "kysely";
import { POSTGRES_SCHEMA } from "./postgres-pool.ts";
import type { WordIndex } from "./sql/search/word-index.ts";

/** Words in Postgres: a `tsvector` for the lookups beside the text that has the positions. */
export const postgresWords: WordIndex = {
  make: [
    sql`alter table thread_words add column text text, add column lexemes tsvector`,
    // A low target moves long values out of the rows, so that the rows of a frequent word take few pages.
    sql`alter table thread_words set (toast_tuple_target = 128)`,
    // With `fastupdate`, a search would also have to read the list of entries that are not yet in the index.
    sql`create index thread_words_lexemes on thread_words using gin (lexemes) with (fastupdate = off)`,
  ],
  insert: (column, rows) => [
    sql`insert into ${sql.id(POSTGRES_SCHEMA, "thread_words")} (thread_id, updated_at, position, text, lexemes)
      select ${column("thread_id")}, ${column("updated_at")}, ${column("position")}, ${column("text")},
        array_to_tsvector(array(
          select split_part(entry, '=', 1) from unnest(string_to_array(btrim(${column("text")}), ' ')) as entry
          where entry <> ''))
      from ${rows}`,
  ],
  text: sql`thread_words.text`,
  has: (groups) => {
    const lookup = (word: string) => `'${word.replaceAll("'", "''")}'`;
    const query = groups
      .map((group) => `(${group.map(({ word, isBeginning }) => lookup(word) + (isBeginning ? ":*" : "")).join(" | ")})`)
      .join(" & ");
    return sql`thread_words.lexemes @@ ${query}::tsquery`;
  },
};
