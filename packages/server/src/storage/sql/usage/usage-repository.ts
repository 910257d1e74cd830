import { sql } from "kysely";
import type { UsageQuery, UsageStorage, UsageSum } from "../../usage.ts";
import { usageStatements } from "./add-usage.ts";
import { inParts } from "../in-parts.ts";
import { countColumns, countSums, countsOutside } from "./usage-counts.ts";
import type { Counts, CountsOutside } from "./usage-counts.ts";
import { spenderOf, spentBudget } from "./spent-budget.ts";
import { spentNotices } from "./spent-notices.ts";
import { lockFreeRows } from "../rows/lock-rows.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcDay } from "../utc-time.ts";

export function usageRepository(db: Db, dialect: SqlDialect): UsageStorage {
  const addUsage = usageStatements(db, dialect);
  return {
    add: (owner, threadId, used, at, spent) => {
      const adding = db.transaction().execute(async (transaction) => {
        const thread = transaction
          .selectFrom("thread")
          .select("visitor_id")
          .where("thread_id", "=", threadId)
          .where("project_id", "=", owner.projectId);
        // Locked, so that a concurrent erasure deletes the visitor's row or prevents it.
        const kept = await (dialect.concurrent ? thread.forShare() : thread).executeTakeFirst();
        // The thread may have been claimed: its tokens count for the current owner.
        const visitorId = kept?.visitor_id ?? owner.visitorId;
        const entry = { owner: { ...owner, visitorId }, visitorKnown: kept !== undefined, used, at };
        const told = spent ? spentNotices(db, dialect, [{ telling: spent, visitorId, at }]) : [];
        for (const statement of [...addUsage([entry]), ...told]) await transaction.executeQuery(statement);
      });
      return dialect.durable(adding);
    },

    spent: async (owner, budget, at) => {
      const { rows } = await db.executeQuery(spentBudget(db, owner, budget, at));
      return spenderOf(rows[0], budget);
    },

    ofProject: async (projectId, at) => {
      const budget = { visitorTokens: null, projectTokens: 0 };
      const { rows } = await db.executeQuery(spentBudget(db, { projectId, visitorId: "" }, budget, at));
      return Number(rows[0]?.project ?? 0);
    },

    report: async (query) => {
      const sums = await (query.by === "visitor" ? byVisitor(db, query) : byProject(db, query, query.by));
      return query.by === "day" ? sums : sums.toSorted((one, other) => tokensOf(other) - tokensOf(one));
    },

    ofVisitor: async ({ projectId, visitorId }) => {
      const rows = await db
        .selectFrom("visitor_usage")
        .selectAll()
        .where("project_id", "=", projectId)
        .where("visitor_id", "=", visitorId)
        .orderBy("day")
        .orderBy("model_id")
        .orderBy("purpose")
        .execute();
      return rows.map((row) => {
        const { day, model_id: modelId, purpose } = row;
        return Object.assign(countsOfRow(row), { day, modelId, purpose });
      });
    },

    expire: (projectId, before) => {
      const day = utcDay(before);
      const lock = JSON.stringify(["expire", "usage", projectId]);
      return inParts(db, dialect, { first: 500, most: 5000, least: 500, lock }, async (transaction, size) => {
        const old = transaction
          .selectFrom("visitor_usage")
          .select(sql`${dialect.rowName}`.as("name"))
          .where("project_id", "=", projectId)
          .where("day", "<", day)
          // The order makes the database use the index, which forgets deleted rows. A scan of the table would read its
          // empty pages again in each part.
          .orderBy("day")
          .limit(size);
        const names = lockFreeRows(dialect, old);
        const { numDeletedRows } = await transaction
          .deleteFrom("visitor_usage")
          .where(dialect.isRowOf(sql`${names}`))
          .executeTakeFirst();
        return Number(numDeletedRows);
      });
    },
  };
}

async function byProject(db: Db, { projectId, from, to }: UsageQuery, by: "day" | "project" | "model") {
  const column = ({ day: "day", project: "project_id", model: "model_id" } as const)[by];
  const query = db
    .selectFrom("project_usage")
    .select(column)
    .select(countSums)
    .where("day", ">=", from)
    .where("day", "<=", to)
    .groupBy(column)
    .having(sql<number>`sum(calls)`, ">", 0)
    .orderBy(column);
  const rows = await (projectId === undefined ? query : query.where("project_id", "=", projectId)).execute();
  return rows.map((row) => sumOfRow(row[column], row));
}

/**
 * The sums of visitors, project by project, since the index of visitors' days begins with the project. Erased visitors
 * have no row: they are the rest of the project's sum.
 */
async function byVisitor(db: Db, query: UsageQuery): Promise<readonly UsageSum[]> {
  const { from, to, top } = query;
  const rows: UsageSum[] = [];
  for (const { key, ...counts } of await byProject(db, query, "project")) {
    const projectId = String(key);
    const kept = db
      .selectFrom("visitor_usage")
      .select("visitor_id")
      .select(countSums)
      .where("project_id", "=", projectId)
      .where("day", ">=", from)
      .where("day", "<=", to)
      .groupBy("visitor_id")
      .having(sql<number>`sum(calls)`, ">", 0);
    const most = kept.orderBy(sql`sum(input_tokens) + sum(output_tokens)`, "desc").orderBy("visitor_id");
    const visitors = await (top === undefined ? most : most.limit(top)).execute();
    const shown = visitors.map((row) => sumOfRow(row.visitor_id, row, projectId));
    const all = await db
      .selectFrom(kept.as("kept"))
      .select(countSums)
      .select((select) => select.fn.countAll<number | string>().as("visitors"))
      .executeTakeFirstOrThrow();
    const ofAll = sumOfRow(null, all, projectId);
    const others = Number(all.visitors) - shown.length;
    const erased = minus({ ...counts, key: null, projectId }, ofAll);
    rows.push(...shown);
    if (others > 0) rows.push({ ...shown.reduce(minus, ofAll), others });
    if (erased.calls > 0) rows.push(erased);
  }
  return rows;
}

type SumRow = Readonly<Record<keyof Counts, number | string>>;

function sumOfRow(key: string | null, row: SumRow, projectId?: string): UsageSum {
  return { key, ...(projectId !== undefined && { projectId }), ...countsOfRow(row) };
}

function countsOfRow(row: SumRow): CountsOutside {
  return countsOutside((column) => Number(row[column]));
}

function minus(one: UsageSum, other: UsageSum): UsageSum {
  return {
    ...one,
    ...countsOutside((column) => {
      const name = countColumns[column];
      return one[name] - other[name];
    }),
  };
}

function tokensOf({ inputTokens, outputTokens }: UsageSum): number {
  return inputTokens + outputTokens;
}
