import { sql } from "kysely";
import type { Owner, Storage } from "../../storage.ts";
import { dropThreads } from "./drop-threads.ts";
import type { DropThreadsOptions, FoundThread } from "./drop-threads.ts";
import { exportThreads } from "./export-threads.ts";
import type { ReadFile } from "../files/file-repository.ts";
import type { RunSignals } from "../signals/run-signals.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { Schema } from "../schema.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcTime } from "../utc-time.ts";
import { eraseEvents, moveEvents } from "../webhooks/visitor-events.ts";
import { moveUsage } from "../usage/add-usage.ts";
import { idsIn, idsJson } from "../rows/json-table.ts";
import { lockFreeRows, lockOwner, lockRows } from "../rows/lock-rows.ts";

/** @param files reads attachments, and deletes the bytes of dropped ones */
export function visitorRepository(
  db: Db,
  dialect: SqlDialect,
  signals: RunSignals,
  files: { readonly read: ReadFile; readonly deleteOf: (owner: Owner) => Promise<number> },
): Storage["visitors"] {
  const dropIdle = (projectId: string, column: "updated_at" | "archived_at", before: string) =>
    dropThreads(db, dialect, signals, {
      lock: JSON.stringify(["expire", column, projectId]),
      find: (transaction, limit, after) => {
        const idle = idleThreads(transaction, projectId, column, utcTime(before), after).limit(limit);
        // Threads that another transaction has locked are in use, or are being dropped.
        return lockFreeRows(dialect, idle).execute();
      },
    });

  const eraseTold = eraseEvents(db, dialect);

  return {
    agree: async ({ projectId, visitorId }, { version, at }) => {
      const row = { project_id: projectId, visitor_id: visitorId, version: version, at: utcTime(at) };
      await dialect.durable(addConsents(db, [row]));
    },

    consents: ({ projectId, visitorId }) =>
      db
        .selectFrom("visitor_consent")
        .select(["version", "at"])
        .where("project_id", "=", projectId)
        .where("visitor_id", "=", visitorId)
        .orderBy("at")
        .orderBy("version")
        .execute(),

    export: ({ projectId, visitorId }) => exportThreads(db, files.read, { projectId, visitorId }),

    purge: async ({ projectId, visitorId }, telling) => {
      const find: DropThreadsOptions["find"] = (transaction, limit, after) => {
        const ofVisitor = transaction
          .selectFrom("thread")
          .select(["thread_id", "thread_id as place"])
          .where("project_id", "=", projectId)
          .where("visitor_id", "=", visitorId)
          .where("thread_id", ">", after?.thread_id ?? "")
          .orderBy("thread_id")
          .limit(limit);
        return lockRows(dialect, ofVisitor).execute();
      };
      let dropped = 0;
      for await (const count of dropThreads(db, dialect, signals, { find })) dropped += count;
      // After the threads, because a run may add usage until its thread is dropped.
      const forgetting = db.transaction().execute(async (transaction) => {
        for (const table of ["visitor_usage", "visitor_consent", "spent_budget"] as const) {
          const ofVisitor = transaction.deleteFrom(table).where("project_id", "=", projectId);
          await ofVisitor.where("visitor_id", "=", visitorId).execute();
        }
        await eraseTold(transaction, { projectId, visitorId }, telling);
      });
      await dialect.durable(forgetting);
      // When this resolves, the data must be gone from the files too. The caller repeats a call that failed here.
      const deleted = await files.deleteOf({ projectId, visitorId });
      if (dropped + deleted > 0) await dialect.reclaim("text");
      return dropped;
    },

    dropArchived: async ({ projectId, visitorId }, kept) => {
      const find: DropThreadsOptions["find"] = (transaction, limit) => {
        const surplus = transaction
          .selectFrom("thread")
          .select(["thread_id", "thread_id as place"])
          .where("project_id", "=", projectId)
          .where("visitor_id", "=", visitorId)
          .where("archived_at", "is not", null)
          .orderBy("archived_at", "desc")
          .orderBy("thread_id")
          .offset(kept)
          .limit(limit);
        return lockRows(dialect, surplus).execute();
      };
      for await (const _ of dropThreads(db, dialect, signals, { find }));
    },

    claim: (from, visitorId) => claimThreads(db, dialect, from, visitorId),

    expire: (projectId, before) => dropIdle(projectId, "updated_at", before),

    expireArchived: (projectId, before) => dropIdle(projectId, "archived_at", before),

    projects: async () => {
      const projectIds = new Set<string>();
      for (const table of ["thread", "visitor_usage", "visitor_consent"] as const) {
        for (const projectId of await projectsIn(db, table)) projectIds.add(projectId);
      }
      return [...projectIds].toSorted();
    },
  };
}

async function addConsents(db: Db, rows: readonly Schema["visitor_consent"][]): Promise<void> {
  if (rows.length === 0) return;
  const keep = db.insertInto("visitor_consent").values(rows);
  await keep.onConflict((conflict) => conflict.columns(["project_id", "visitor_id", "version"]).doNothing()).execute();
}

async function projectsIn(db: Db, table: "thread" | "visitor_usage" | "visitor_consent"): Promise<readonly string[]> {
  const projectIds: string[] = [];
  // One index lookup per project; `distinct` would read every row.
  for (;;) {
    const next = await db
      .selectFrom(table)
      .select("project_id")
      .where("project_id", ">", projectIds.at(-1) ?? "")
      .orderBy("project_id")
      .limit(1)
      .executeTakeFirst();
    if (!next) return projectIds;
    projectIds.push(next.project_id);
  }
}

/**
 * A project's threads without a running run whose time in `column` is before `before`. Archived threads are included.
 */
function idleThreads(
  transaction: Db,
  projectId: string,
  column: "updated_at" | "archived_at",
  before: string,
  after: FoundThread = { place: "", thread_id: "" },
) {
  const place = sql.ref<string>(column);
  return transaction
    .selectFrom("thread")
    .select(["thread_id", place.as("place")])
    .where("project_id", "=", projectId)
    .where(column, "<", before)
    .where(column, ">=", after.place)
    .where(sql<boolean>`(${place}, thread_id) > (${after.place}, ${after.thread_id})`)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom("run")
            .select("run_id")
            .whereRef("run.thread_id", "=", "thread.thread_id")
            .where("status", "=", RUNNING),
        ),
      ),
    )
    .orderBy(column)
    .orderBy("thread_id");
}

/** `Storage["visitors"]["claim"]`. */
async function claimThreads(db: Db, dialect: SqlDialect, from: Owner, visitorId: string): Promise<number> {
  if (from.visitorId === visitorId) return 0;
  const claiming = db.transaction().execute(async (transaction) => {
    // A fixed order, so that two claims cannot deadlock.
    for (const each of [from.visitorId, visitorId].toSorted()) {
      await lockOwner(dialect, { ...from, visitorId: each })?.execute(transaction);
    }
    const ofOwner = transaction
      .selectFrom("thread")
      .select(["thread_id", "archived_at"])
      .where("project_id", "=", from.projectId)
      .where("visitor_id", "=", from.visitorId)
      .orderBy("thread_id");
    // A run that begins locks its thread: it either commits before this lock, or waits and then does not find the
    // thread.
    const threads = await lockRows(dialect, ofOwner).execute();
    const claimed = idsIn(dialect, idsJson(threads.map(({ thread_id }) => thread_id)));
    for (const table of ["thread", "run", "attachment"] as const) {
      await transaction.updateTable(table).set({ visitor_id: visitorId }).where("thread_id", "in", claimed).execute();
    }
    await moveEvents(transaction, dialect, claimed, visitorId);
    // The stored words begin with a prefix of their owner.
    await transaction.deleteFrom("thread_words").where("thread_id", "in", claimed).execute();
    await transaction.updateTable("thread").set({ searched_at: null }).where("thread_id", "in", claimed).execute();
    await transaction
      .updateTable("stray_file")
      .set({ visitor_id: visitorId })
      .where("project_id", "=", from.projectId)
      .where("visitor_id", "=", from.visitorId)
      .execute();
    await moveUsage(transaction, dialect, from, visitorId);
    const consents = await transaction
      .deleteFrom("visitor_consent")
      .where("project_id", "=", from.projectId)
      .where("visitor_id", "=", from.visitorId)
      .returningAll()
      .execute();
    await addConsents(
      transaction,
      consents.map((row) => Object.assign(row, { visitor_id: visitorId })),
    );
    return threads.filter(({ archived_at }) => archived_at === null).length;
  });
  return dialect.durable(claiming);
}
