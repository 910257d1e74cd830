import type { ExpressionBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { Schema } from "../schema.ts";
import type { Db } from "../sql-dialect.ts";

/** The filter of everything that a visitor can reach: the thread belongs to the owner and is not archived. */
function ownedBy({ projectId, visitorId }: Owner) {
  return (is: ExpressionBuilder<Schema, "thread">) =>
    is.and([
      is("thread.project_id", "=", projectId),
      is("thread.visitor_id", "=", visitorId),
      is("thread.archived_at", "is", null),
    ]);
}

/** The owner's threads that are not archived. */
export function ownedThreads(db: Db, owner: Owner) {
  return db.selectFrom("thread").where(ownedBy(owner));
}

/**
 * The filter of one thread. `is not distinct from` leaves Postgres only the index of the ids. With `=` and no
 * statistics yet, Postgres might read all threads of the project.
 */
export function ownedById({ projectId, visitorId }: Owner, threadId: string) {
  return (is: ExpressionBuilder<Schema, "thread">) =>
    is.and([
      is("thread.thread_id", "=", threadId),
      is("thread.project_id", "is not distinct from", projectId),
      is("thread.visitor_id", "is not distinct from", visitorId),
      is("thread.archived_at", "is", null),
    ]);
}

/** One of the owner's threads, if it is not archived. */
export function ownedThread(db: Db, owner: Owner, threadId: string) {
  return db.selectFrom("thread").where(ownedById(owner, threadId));
}

/** A thread and its owner, as the values of a statement. */
export interface SoughtThread {
  readonly owner: Owner;
  readonly threadId: string;
}
