import type { KnowledgeStore, KnownPage, PageContent, ReadingResult } from "./knowledge-store.ts";
import { prepareTables } from "./schema.ts";
import { part, present, raw, storable } from "./sql.ts";
import type { Sql, SqlDatabase } from "./sql.ts";
import { createSearchIndex, passageOf } from "./sql-index.ts";
import type { PassageRow } from "./sql-index.ts";
import { addPassages, addToCounts, dropPages } from "./write-passages.ts";

/** The columns of a page, under the names that `KnownPage` has. */
const known = raw(`url, listed_as as "listedAs", source, digest, title, passages, read_at as "readAt", etag,
  last_modified as "lastModified"`);

/** The store on a database. Without tables it creates them, or without `create` closes the database and throws `NoPagesError`. */
export async function createSqlKnowledge(database: SqlDatabase, create: boolean): Promise<KnowledgeStore> {
  const { sql, transaction, dialect } = database;
  const { table, isIn, rows } = dialect;
  await prepareTables(database, create).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });

  /** Runs one statement that writes. */
  const write = async <T extends object>(...statement: Parameters<Sql>) =>
    transaction(async (writer) => writer<T>(...statement));
  /** The vectors of a project by a model. */
  const vectorsOf = (projectId: string, model: string) => part`${table("vector")} as vector
    join ${table("passage")} as passage on passage.id = vector.passage
    join ${table("page")} as page on page.id = passage.page where page.project = ${projectId} and vector.model = ${model}`;

  return {
    async knownPages(projectId) {
      const pages =
        await sql<KnownPage>`select ${known} from ${table("page")} where project = ${projectId} order by url`;
      return pages.map(present<KnownPage>);
    },

    async putPage(projectId, { url, listedAs, source, digest, etag, lastModified, readAt }, content) {
      const { title, language, passages } = content;
      await transaction(async (writer) => {
        const counts = await dropPages(writer, dialect, part`project = ${projectId} and url = ${url}`);
        const [made] = await writer<{ readonly id: number }>`insert into ${table("page")}
          (project, url, listed_as, source, digest, title, language, etag, last_modified, read_at, passages)
            values (${projectId}, ${url}, ${listedAs}, ${source}, ${digest}, ${storable(title)}, ${language}, ${etag},
            ${lastModified}, ${readAt}, ${passages.length}) returning id`;
        if (made) await addPassages(writer, dialect, projectId, made.id, content, counts);
        await addToCounts(writer, dialect, projectId, counts);
      });
    },

    async touchPages(projectId, pages) {
      await write`update ${table("page")} as page set read_at = readAt, etag = coalesce(listed.etag, page.etag),
        last_modified = coalesce(lastModified, last_modified)
        from ${rows(pages, { url: "text", readAt: "bigint", etag: "text", lastModified: "text" })}
        where project = ${projectId} and page.url = listed.url`;
    },

    async removePages(projectId, urls) {
      await transaction(async (writer) => {
        const counts = await dropPages(writer, dialect, part`project = ${projectId} and url ${isIn(urls)}`);
        await addToCounts(writer, dialect, projectId, counts);
      });
    },

    async page(projectId, url) {
      const [page] = await sql<KnownPage & { readonly id: number; readonly language: string | null }>`
        select id, language, ${known} from ${table("page")} where project = ${projectId} and url = ${url}`;
      if (!page) return undefined;
      const { id, language, ...row } = page;
      const passages = await sql<PassageRow>`
        select headings, anchor, text from ${table("passage")} where page = ${id} order by position`;
      const { title } = row;
      const content = present<PageContent>({ title, language, passages: passages.map(passageOf) });
      return { ...present<KnownPage>(row), content };
    },

    async boilerplate(projectId, source) {
      const [row] = await sql<{ readonly boilerplate: string }>`
        select boilerplate from ${table("source")} where project = ${projectId} and source = ${source}`;
      return row && (JSON.parse(row.boilerplate) as readonly string[]);
    },

    async putBoilerplate(projectId, source, digests) {
      await write`insert into ${table("source")} (project, source, boilerplate)
        values (${projectId}, ${source}, ${JSON.stringify(digests)})
        on conflict (project, source) do update set boilerplate = excluded.boilerplate`;
    },

    async leaseReading(projectId, holder, leaseMs) {
      const now = Date.now();
      const leases = await write`
        insert into ${table("reading")} (project, holder, held_until) values (${projectId}, ${holder}, ${now + leaseMs})
        on conflict (project) do update set holder = excluded.holder, held_until = excluded.held_until
        where reading.holder is null or reading.holder = excluded.holder or reading.held_until < ${now}
        returning project`;
      return leases.length > 0;
    },

    async endReading(projectId, holder, result) {
      await write`update ${table("reading")} set holder = null, held_until = null,
        result = coalesce(${result && storable(JSON.stringify(result))}, result)
        where project = ${projectId} and holder = ${holder}`;
      if (result && result.new + result.changed > 0) await database.settle();
    },

    async lastReading(projectId) {
      const [row] = await sql<{ readonly result: string | null }>`
        select result from ${table("reading")} where project = ${projectId}`;
      return row?.result ? (JSON.parse(row.result) as ReadingResult) : undefined;
    },

    async passagesToEmbed(projectId, model, limit) {
      const passages = await sql<PassageRow & { readonly id: number; readonly title: string }>`
        select passage.id, headings, anchor, text, title from ${table("passage")} as passage
        join ${table("page")} as page on page.id = passage.page
        where page.project = ${projectId} and not exists
          (select 1 from ${table("vector")} as vector where vector.passage = passage.id and vector.model = ${model})
        order by passage.id limit ${limit}`;
      return passages.map((row) => {
        const { headings, text } = passageOf(row);
        return { id: row.id, text: `${[row.title, ...headings].join(" › ")}\n\n${text}` };
      });
    },

    async putVectors(projectId, model, vectors) {
      await transaction(async (writer) => {
        for (const { id, vector } of vectors) {
          const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          // The page may have been read again meanwhile. Then the passage no longer exists, and nothing is inserted.
          await writer`insert into ${table("vector")} (passage, model, vector)
        select passage.id, ${model}, ${bytes} from ${table("passage")} as passage
        join ${table("page")} as page on page.id = passage.page where passage.id = ${id} and page.project = ${projectId}
        on conflict (passage, model) do update set vector = excluded.vector`;
        }
        // These passages no longer need the vectors of a former model.
        await writer`delete from ${table("vector")} where model <> ${model} and passage ${isIn(vectors.map(({ id }) => id))}`;
      });
    },

    async vectorsVersion(projectId, model) {
      const [row] = await sql<{ readonly count: number; readonly last: number | null }>`
        select count(*) as count, max(vector.passage) as last from ${vectorsOf(projectId, model)}`;
      return `${row?.count} ${row?.last}`;
    },

    vectors: async (projectId, model) =>
      sql`select vector.passage as id, vector.vector from ${vectorsOf(projectId, model)}`,

    index: createSearchIndex(database),

    async keepProjects(projectIds) {
      await transaction(async (writer) => {
        const others = part`not (project ${isIn(projectIds)})`;
        await dropPages(writer, dialect, others);
        for (const name of ["word", "gram", "source", "reading"])
          await writer`delete from ${table(name)} where ${others}`;
      });
    },

    close: async () => database.close(),
  };
}
