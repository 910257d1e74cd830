import { gramsOf } from "../words/likeness.ts";
import { indexPassages } from "../words/index-passages.ts";
import type { PageContent } from "./knowledge-store.ts";
import { part, storable } from "./sql.ts";
import type { Sql, SqlDialect, Statement } from "./sql.ts";

/** Stores the passages of a page with their words. Adds to `counts` how many of the passages have each word. */
export async function addPassages(
  sql: Sql,
  { table, rows }: SqlDialect,
  projectId: string,
  pageId: number,
  content: PageContent,
  counts: Map<string, number>,
): Promise<void> {
  const passages = rows(
    content.passages.map(({ headings, anchor, text }, position) => ({
      position,
      headings: JSON.stringify(headings.map(storable)),
      anchor: anchor && storable(anchor),
      text: storable(text),
    })),
    { position: "bigint", headings: "text", anchor: "text", text: "text" },
  );
  const made = await sql<{ readonly id: number; readonly position: number }>`
    insert into ${table("passage")} (page, position, headings, anchor, text)
    select ${pageId}, position, headings, anchor, text from ${passages} returning id, position`;
  const ids = new Map(made.map(({ id, position }) => [position, id]));
  const posts = indexPassages(content).flatMap((words, position) =>
    Array.from(words, ([word, weight]) => ({ word, passage: ids.get(position) ?? 0, weight })),
  );
  for (const { word } of posts) counts.set(word, (counts.get(word) ?? 0) + 1);
  await sql`insert into ${table("post")} (project, word, passage, weight) select ${projectId}, word, passage, weight
    from ${rows(posts, { word: "text", passage: "bigint", weight: "double precision" })}`;
}

/** Removes pages with their passages. Returns for each word how many passages with it are gone, as a negative number. */
export async function dropPages(
  sql: Sql,
  { table, isIn }: SqlDialect,
  condition: Statement,
): Promise<Map<string, number>> {
  const idsOf = async (name: string, where: Statement) =>
    (await sql<{ readonly id: number }>`select id from ${table(name)} where ${where}`).map(({ id }) => id);
  const pages = await idsOf("page", condition);
  const passages = await idsOf("passage", part`page ${isIn(pages)}`);
  const rows = await sql<{ readonly word: string; readonly count: number }>`
    select word, count(*) as count from ${table("post")} where passage ${isIn(passages)} group by word`;
  for (const name of ["post", "vector"]) await sql`delete from ${table(name)} where passage ${isIn(passages)}`;
  await sql`delete from ${table("passage")} where id ${isIn(passages)}`;
  await sql`delete from ${table("page")} where id ${isIn(pages)}`;
  return new Map(rows.map(({ word, count }) => [word, -count]));
}

/** Adds to the counts of words. Stores the grams of words that are new, and removes those of words that are gone. */
export async function addToCounts(
  sql: Sql,
  { table, isIn, rows }: SqlDialect,
  projectId: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  // All transactions lock the rows in the same order. So one waits for the other, and there is no deadlock.
  const changed = Array.from(counts, ([word, count]) => ({ word, count }))
    .filter(({ count }) => count !== 0)
    .toSorted((one, other) => (one.word < other.word ? -1 : 1));
  if (changed.length === 0) return;
  const counted = await sql<{ readonly word: string; readonly count: number }>`
    insert into ${table("word")} (project, word, count)
    select ${projectId}, word, count from ${rows(changed, { word: "text", count: "bigint" })} where true
    on conflict (project, word) do update set count = word.count + excluded.count returning word, count`;
  const gone = counted.filter(({ count }) => count <= 0).map(({ word }) => word);
  const fresh = counted.filter(({ word, count }) => count === counts.get(word)).map(({ word }) => word);
  const columns = { gram: "text", word: "text" } as const;
  const grams = (words: readonly string[]) => words.flatMap((word) => gramsOf(word).map((gram) => ({ gram, word })));
  if (gone.length > 0) {
    await sql`delete from ${table("word")} where project = ${projectId} and word ${isIn(gone)}`;
    // The grams are part of the key. By the words alone, all rows of the project would be read.
    await sql`delete from ${table("gram")} where project = ${projectId} and (gram, word) in
      (select gram, word from ${rows(grams(gone), columns)})`;
  }
  if (fresh.length === 0) return;
  await sql`insert into ${table("gram")} (project, gram, word)
    select ${projectId}, gram, word from ${rows(grams(fresh), columns)} where true on conflict do nothing`;
}
