import type { FoundPassage, SearchIndex } from "./knowledge-store.ts";
import { passageOf } from "./passage-row.ts";
import type { PassageRow } from "./passage-row.ts";
import type { SqlDatabase } from "./sql.ts";

interface CountRow {
  readonly word: string;
  readonly count: number | null;
}

/** What a search reads. */
export function createSearchIndex(database: SqlDatabase): SearchIndex {
  const { dialect } = database;
  const { table, isIn, jsonList } = dialect;
  return {
    async vocabulary(projectId, words, beginnings, perBeginning) {
      const rows = await database.all<CountRow & { readonly beginning: string | null }>(
        `select null as beginning, '' as word, cast(sum(passages) as bigint) as count from ${table("page")} where project = $1
         union all select null, word, count from ${table("word")} where project = $1 and word ${isIn("$2")}
         union all select beginning, word, count from
           (select beginning, word, count, row_number() over (partition by beginning order by count desc, word) as place
            from ${dialect.rows("$3", [["beginning", "text"]])}
            join ${table("word")} as known on project = $1 and word >= beginning and word < beginning || '\u{10ffff}') as begun
         where place <= $4`,
        projectId,
        words,
        JSON.stringify(beginnings.map((beginning) => [beginning])),
        perBeginning,
      );
      const counts = new Map<string, number>();
      const families = new Map(beginnings.map((beginning) => [beginning, new Map<string, number>()]));
      for (const { beginning, word, count } of rows)
        (beginning === null ? counts : families.get(beginning))?.set(word, count ?? 0);
      const size = counts.get("") ?? 0;
      counts.delete("");
      return { size, counts, families };
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
      const rows = await database.all<CountRow & { readonly list: number }>(
        // The counts are looked up one by one: a join reads all words.
        `select list, word, (select count from ${table("word")} as known where known.project = $1 and known.word = near.word) as count from
           (select list, word, row_number() over (partition by list order by count(*) desc, word) as place
            from ${dialect.rows("$2", [
              ["list", "bigint"],
              ["piece", "text"],
            ])}
            join ${table("gram")} as known on project = $1 and gram = piece group by list, word) as near
         where place <= $3 order by list, place`,
        projectId,
        JSON.stringify(grams.flatMap((pieces, list) => pieces.map((piece) => [list, piece]))),
        limit,
      );
      const lists = grams.map(() => new Map<string, number>());
      for (const { list, word, count } of rows) lists[list]?.set(word, count ?? 0);
      return lists;
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
