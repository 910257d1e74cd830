import type { KnowledgeStore, KnownPage, PageContent, ReadingResult } from "./knowledge-store.ts";
import { passageOf } from "./passage-row.ts";
import type { PassageRow } from "./passage-row.ts";
import { prepareTables } from "./schema.ts";
import { storable } from "./sql.ts";
import type { SqlDatabase } from "./sql.ts";
import { createSearchIndex } from "./sql-index.ts";
import { addPassages, addToCounts, dropPassages } from "./write-passages.ts";

interface PageRow {
  readonly id: number;
  readonly url: string;
  readonly listed_as: string | null;
  readonly source: string;
  readonly digest: string;
  readonly title: string;
  readonly language: string | null;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly read_at: number;
  readonly passages: number;
}

/** The store on a database. With `create` its tables are made where there are none; else it throws `NoPagesError`. */
export async function createSqlKnowledge(database: SqlDatabase, create: boolean): Promise<KnowledgeStore> {
  const { dialect } = database;
  const { table, isIn } = dialect;
  await prepareTables(database, create);

  return {
    async knownPages(projectId) {
      const rows = await database.all<PageRow>(`select * from ${table("page")} where project = $1`, projectId);
      return rows.map(pageOf).toSorted((one, other) => (one.url < other.url ? -1 : 1));
    },

    async putPage(projectId, page, content) {
      await database.transaction(async (sql) => {
        const [before] = await sql.all<{ readonly id: number }>(
          `select id from ${table("page")} where project = $1 and url = $2`,
          projectId,
          page.url,
        );
        const counts = before ? await dropPassages(sql, dialect, [before.id]) : new Map<string, number>();
        if (before) await sql.all(`delete from ${table("page")} where id = $1`, before.id);
        const [made] = await sql.all<{ readonly id: number }>(
          `insert into ${table("page")} (project, url, listed_as, source, digest, title, language, etag, last_modified, read_at, passages)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id`,
          projectId,
          page.url,
          page.listedAs ?? null,
          page.source,
          page.digest,
          storable(content.title),
          content.language ?? null,
          page.etag ?? null,
          page.lastModified ?? null,
          page.readAt,
          content.passages.length,
        );
        if (made) await addPassages(sql, dialect, projectId, made.id, content, counts);
        await addToCounts(sql, dialect, projectId, counts);
      });
    },

    async touchPages(projectId, pages) {
      const rows = pages.map(({ url, readAt, etag, lastModified }) => [
        url,
        readAt,
        etag ?? null,
        lastModified ?? null,
      ]);
      const columns = [
        ["at_url", "text"],
        ["at", "bigint"],
        ["tag", "text"],
        ["modified", "text"],
      ] as const;
      await database.transaction(async (sql) =>
        sql.all(
          `update ${table("page")} set read_at = at, etag = coalesce(tag, etag), last_modified = coalesce(modified, last_modified)
           from ${dialect.rows("$2", columns)} where project = $1 and url = at_url`,
          projectId,
          JSON.stringify(rows),
        ),
      );
    },

    async removePages(projectId, urls) {
      await database.transaction(async (sql) => {
        const rows = await sql.all<{ readonly id: number }>(
          `select id from ${table("page")} where project = $1 and url ${isIn("$2")}`,
          projectId,
          urls,
        );
        const ids = rows.map(({ id }) => id);
        await addToCounts(sql, dialect, projectId, await dropPassages(sql, dialect, ids));
        await sql.all(`delete from ${table("page")} where id ${isIn("$1")}`, ids);
      });
    },

    async page(projectId, url) {
      const [row] = await database.all<PageRow>(
        `select * from ${table("page")} where project = $1 and url = $2`,
        projectId,
        url,
      );
      if (!row) return undefined;
      const passages = await database.all<PassageRow>(
        `select * from ${table("passage")} where page = $1 order by position`,
        row.id,
      );
      const content: PageContent = {
        title: row.title,
        ...(row.language === null ? {} : { language: row.language }),
        passages: passages.map(passageOf),
      };
      return { ...pageOf(row), content };
    },

    async boilerplate(projectId, source) {
      const [row] = await database.all<{ readonly boilerplate: string }>(
        `select boilerplate from ${table("source")} where project = $1 and source = $2`,
        projectId,
        source,
      );
      return row && (JSON.parse(row.boilerplate) as readonly string[]);
    },

    async putBoilerplate(projectId, source, digests) {
      await database.transaction(async (sql) =>
        sql.all(
          `insert into ${table("source")} (project, source, boilerplate) values ($1, $2, $3)
           on conflict (project, source) do update set boilerplate = excluded.boilerplate`,
          projectId,
          source,
          JSON.stringify(digests),
        ),
      );
    },

    async leaseReading(projectId, holder, leaseMs) {
      const now = Date.now();
      const rows = await database.transaction(async (sql) =>
        sql.all(
          `insert into ${table("reading")} (project, holder, held_until) values ($1, $2, $3)
           on conflict (project) do update set holder = excluded.holder, held_until = excluded.held_until
           where reading.holder is null or reading.holder = excluded.holder or reading.held_until < $4
           returning project`,
          projectId,
          holder,
          now + leaseMs,
          now,
        ),
      );
      return rows.length > 0;
    },

    async endReading(projectId, holder, result) {
      await database.transaction(async (sql) =>
        sql.all(
          `update ${table("reading")} set holder = null, held_until = null, result = coalesce($3, result)
           where project = $1 and holder = $2`,
          projectId,
          holder,
          result ? storable(JSON.stringify(result)) : null,
        ),
      );
      if (result && result.new + result.changed > 0) await database.settle();
    },

    async lastReading(projectId) {
      const [row] = await database.all<{ readonly result: string | null }>(
        `select result from ${table("reading")} where project = $1`,
        projectId,
      );
      return row?.result ? (JSON.parse(row.result) as ReadingResult) : undefined;
    },

    async passagesToEmbed(projectId, model, limit) {
      const rows = await database.all<PassageRow & { readonly title: string }>(
        `select passage.id, passage.headings, passage.text, page.title from ${table("passage")} as passage
         join ${table("page")} as page on page.id = passage.page
         where page.project = $1 and not exists
           (select 1 from ${table("vector")} as vector where vector.passage = passage.id and vector.model = $2)
         order by passage.id limit $3`,
        projectId,
        model,
        limit,
      );
      return rows.map(({ id, title, headings, text }) => {
        const above = [title, ...(JSON.parse(headings) as readonly string[])].join(" › ");
        return { id: id, text: `${above}\n\n${text}` };
      });
    },

    async putVectors(projectId, model, vectors) {
      await database.transaction(async (sql) => {
        for (const { id, vector } of vectors) {
          // A page that was read again meanwhile has other passages.
          await sql.all(
            `insert into ${table("vector")} (passage, model, vector)
             select passage.id, $2, $3 from ${table("passage")} as passage
             join ${table("page")} as page on page.id = passage.page where passage.id = $1 and page.project = $4
             on conflict (passage, model) do update set vector = excluded.vector`,
            id,
            model,
            new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
            projectId,
          );
        }
        // Those of a former model, once their passages have this one's.
        await sql.all(
          `delete from ${table("vector")} where model <> $1 and passage ${isIn("$2")}`,
          model,
          vectors.map(({ id }) => id),
        );
      });
    },

    async vectorsVersion(projectId, model) {
      const [row] = await database.all<{ readonly count: number; readonly last: number | null }>(
        `select count(*) as count, max(vector.passage) as last from ${table("vector")} as vector
         join ${table("passage")} as passage on passage.id = vector.passage
         join ${table("page")} as page on page.id = passage.page where page.project = $1 and vector.model = $2`,
        projectId,
        model,
      );
      return `${row?.count} ${row?.last}`;
    },

    async vectors(projectId, model) {
      const rows = await database.all<{ readonly passage: number; readonly vector: Uint8Array }>(
        `select vector.passage, vector.vector from ${table("vector")} as vector
         join ${table("passage")} as passage on passage.id = vector.passage
         join ${table("page")} as page on page.id = passage.page where page.project = $1 and vector.model = $2`,
        projectId,
        model,
      );
      return rows.map(({ passage, vector }) => ({ id: passage, vector }));
    },

    index: createSearchIndex(database),

    async keepProjects(projectIds) {
      await database.transaction(async (sql) => {
        const rows = await sql.all<{ readonly project: string; readonly id: number }>(
          `select project, id from ${table("page")}`,
        );
        const gone = rows.filter(({ project }) => !projectIds.includes(project)).map(({ id }) => id);
        await dropPassages(sql, dialect, gone);
        await sql.all(`delete from ${table("page")} where id ${isIn("$1")}`, gone);
        for (const name of ["word", "gram", "source", "reading"])
          await sql.all(`delete from ${table(name)} where not (project ${isIn("$1")})`, projectIds);
      });
    },

    close: async () => database.close(),
  };
}

function pageOf(row: PageRow): KnownPage {
  return {
    url: row.url,
    ...(row.listed_as === null ? {} : { listedAs: row.listed_as }),
    source: row.source,
    digest: row.digest,
    title: row.title,
    passages: row.passages,
    readAt: row.read_at,
    ...(row.etag === null ? {} : { etag: row.etag }),
    ...(row.last_modified === null ? {} : { lastModified: row.last_modified }),
  };
}
