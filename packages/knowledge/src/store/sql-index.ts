import type { FoundPassage, SearchIndex } from "./knowledge-store.ts";
import { passageOf } from "./passage-row.ts";
import type { PassageRow } from "./passage-row.ts";
import type { SqlDatabase } from "./sql.ts";

/** What a search reads. */
export function createSearchIndex(database: SqlDatabase): SearchIndex {
  const { table, isIn, jsonList } = database.dialect;
  return {
    async size(projectId) {
      const [row] = await database.all<{ readonly size: number | null }>(
        `select cast(sum(passages) as bigint) as size from ${table("page")} where project = $1`,
        projectId,
      );
      return row?.size ?? 0;
    },

    async counts(projectId, words) {
      const rows = await database.all<{ readonly word: string; readonly count: number }>(
        `select word, count from ${table("word")} where project = $1 and word ${isIn("$2")}`,
        projectId,
        words,
      );
      return new Map(rows.map(({ word, count }) => [word, count]));
    },

    async postings(projectId, words, among) {
      const listed = among && "passages" in among ? `and passage ${isIn("$3")}` : "";
      const heaviest = among && "heaviest" in among ? "order by weight desc, passage limit $3" : "";
      // As one text for each word: rows of thousands of passages take the processor longer than the search itself.
      const rows = await database.all<{ readonly word: string; readonly passages: string; readonly weights: string }>(
        `select word, ${jsonList("passage")} as passages, ${jsonList("weight")} as weights from
           (select word, passage, weight from ${table("post")}
            where project = $1 and word ${isIn("$2")} ${listed} ${heaviest}) as chosen group by word`,
        projectId,
        words,
        ...(among ? ["passages" in among ? among.passages : among.heaviest] : []),
      );
      const numbers = (text: string) => JSON.parse(text) as readonly number[];
      return rows.map(({ word, passages, weights }) => ({
        word,
        passages: numbers(passages),
        weights: numbers(weights),
      }));
    },

    async similar(projectId, grams, limit) {
      const rows = await database.all<{ readonly word: string }>(
        `select word from ${table("gram")} where project = $1 and gram ${isIn("$2")}
         group by word order by count(*) desc, word limit $3`,
        projectId,
        grams,
        limit,
      );
      return rows.map(({ word }) => word);
    },

    async beginning(projectId, beginning, limit) {
      const rows = await database.all<{ readonly word: string }>(
        `select word from ${table("word")} where project = $1 and word >= $2 and word < $3
         order by count desc, word limit $4`,
        projectId,
        beginning,
        `${beginning}\u{10ffff}`,
        limit,
      );
      return rows.map(({ word }) => word);
    },

    async passages(ids) {
      const rows = await database.all<PassageRow & { readonly url: string; readonly title: string }>(
        `select passage.*, page.url, page.title from ${table("passage")} as passage
         join ${table("page")} as page on page.id = passage.page where passage.id ${isIn("$1")}`,
        ids,
      );
      return rows.map((row): FoundPassage =>
        Object.assign(passageOf(row), { id: row.id, url: row.url, title: row.title }),
      );
    },
  };
}
