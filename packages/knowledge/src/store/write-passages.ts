import { gramsOf } from "../words/likeness.ts";
import { indexPassages } from "../words/index-passages.ts";
import type { PageContent } from "./knowledge-store.ts";
import { storable } from "./sql.ts";
import type { Sql, SqlDialect } from "./sql.ts";

/** Stores the passages of a page with their words, and adds these to `counts`. */
export async function addPassages(
  sql: Sql,
  { table, rows }: SqlDialect,
  projectId: string,
  pageId: number,
  content: PageContent,
  counts: Map<string, number>,
): Promise<void> {
  const columns = [
    ["position", "bigint"],
    ["headings", "text"],
    ["anchor", "text"],
    ["text", "text"],
  ] as const;
  const values = content.passages.map(({ headings, anchor, text }, position) => [
    position,
    JSON.stringify(headings.map(storable)),
    anchor === undefined ? null : storable(anchor),
    storable(text),
  ]);
  const made = await sql.all<{ readonly id: number; readonly position: number }>(
    `insert into ${table("passage")} (page, position, headings, anchor, text)
     select $1, position, headings, anchor, text from ${rows("$2", columns)} returning id, position`,
    pageId,
    JSON.stringify(values),
  );
  const ids = new Map(made.map(({ id, position }) => [position, id]));
  const posts = indexPassages(content).flatMap((words, position) =>
    words.map(({ key, weight }) => [key, ids.get(position) ?? 0, weight] as const),
  );
  for (const [word] of posts) counts.set(word, (counts.get(word) ?? 0) + 1);
  await sql.all(
    `insert into ${table("post")} (project, word, passage, weight)
     select $1, word, passage, weight from ${rows("$2", [
       ["word", "text"],
       ["passage", "bigint"],
       ["weight", "double precision"],
     ])}`,
    projectId,
    JSON.stringify(posts),
  );
}

/** Removes the passages of pages. Returns how often less each word is there: numbers below zero. */
export async function dropPassages(
  sql: Sql,
  { table, isIn }: SqlDialect,
  pageIds: readonly number[],
): Promise<Map<string, number>> {
  const passages = await sql.all<{ readonly id: number }>(
    `select id from ${table("passage")} where page ${isIn("$1")}`,
    pageIds,
  );
  const ids = passages.map(({ id }) => id);
  const rows = await sql.all<{ readonly word: string; readonly count: number }>(
    `select word, count(*) as count from ${table("post")} where passage ${isIn("$1")} group by word`,
    ids,
  );
  for (const name of ["post", "vector"]) await sql.all(`delete from ${table(name)} where passage ${isIn("$1")}`, ids);
  await sql.all(`delete from ${table("passage")} where id ${isIn("$1")}`, ids);
  return new Map(rows.map(({ word, count }) => [word, -count]));
}

/** Adds to the counts of words, and keeps the pieces of the words that are there. */
export async function addToCounts(
  sql: Sql,
  { table, isIn, rows }: SqlDialect,
  projectId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  // Rows are locked in one order, so that two pages that are written at a time wait for each other, and never both.
  const changed = [...counts].filter(([, count]) => count !== 0).toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (changed.length === 0) return;
  const counted = await sql.all<{ readonly word: string; readonly count: number }>(
    `insert into ${table("word")} (project, word, count)
     select $1, word, count from ${rows("$2", [
       ["word", "text"],
       ["count", "bigint"],
     ])} where true
     on conflict (project, word) do update set count = word.count + excluded.count returning word, count`,
    projectId,
    JSON.stringify(changed),
  );
  const gone = counted.filter(({ count }) => count <= 0).map(({ word }) => word);
  const fresh = counted.filter(({ word, count }) => count === counts.get(word)).map(({ word }) => word);
  if (gone.length > 0) {
    await sql.all(`delete from ${table("word")} where project = $1 and word ${isIn("$2")}`, projectId, gone);
    // By their keys: without the pieces all of the project would be looked through.
    await sql.all(
      `delete from ${table("gram")} where project = $1 and (gram, word) in
       (select gram, word from ${rows("$2", gramColumns)})`,
      projectId,
      JSON.stringify(gone.flatMap(gramRows)),
    );
  }
  if (fresh.length === 0) return;
  await sql.all(
    `insert into ${table("gram")} (project, gram, word)
     select $1, gram, word from ${rows("$2", gramColumns)} where true on conflict do nothing`,
    projectId,
    JSON.stringify(fresh.flatMap(gramRows)),
  );
}

const gramColumns = [
  ["gram", "text"],
  ["word", "text"],
] as const;

function gramRows(word: string): readonly (readonly [gram: string, word: string])[] {
  return gramsOf(word).map((gram) => [gram, word]);
}
