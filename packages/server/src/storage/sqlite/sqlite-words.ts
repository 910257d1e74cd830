import { sql } from "kysely";
import type { WordIndex } from "../sql/search/word-index.ts";

/** FTS5, whose rows have the numbers of those of `thread_words`. Of the entries of `storedWords` it also finds the positions. */
export const sqliteWords: WordIndex = {
  make: [
    // Words come as they are to be found. Beside letters and digits they have the signs of names.
    sql.raw(
      `create virtual table thread_text using fts5(words, detail = none, tokenize = "ascii tokenchars '._:/@''+#-~^'")`,
    ),
    // What is erased is in no file any more.
    sql`insert into thread_text (thread_text, rank) values ('secure-delete', 1)`,
    sql.raw(`create trigger thread_text_dropped after delete on thread_words
      begin delete from thread_text where rowid = old.no; end`),
  ],
  insert: (column, rows) => [
    sql`insert into thread_words (thread_id, updated_at, position)
      select ${column("thread_id")}, ${column("updated_at")}, ${column("position")} from ${rows}`,
    sql`insert into thread_text (rowid, words) select thread_words.no, ${column("text")}
      from ${rows} join thread_words on thread_words.thread_id = ${column("thread_id")}`,
  ],
  text: sql`(select thread_text.words from thread_text where thread_text.rowid = thread_words.no)`,
  has: (groups) => {
    const query = groups
      .map((group) => `(${group.map(({ word, isBeginning }) => `"${word}"${isBeginning ? " *" : ""}`).join(" OR ")})`)
      .join(" AND ");
    return sql`thread_words.no in (select rowid from thread_text where thread_text match ${query})`;
  },
};
