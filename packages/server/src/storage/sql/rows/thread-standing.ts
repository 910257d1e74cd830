import type { Owner, Storage, ThreadStanding } from "../../storage.ts";
import { compileOnce } from "../compile-once.ts";
import type { Given } from "../compile-once.ts";
import { ownedThread } from "./owned-thread.ts";
import { runColumns, runOfRow } from "./run-row.ts";
import type { RunRow } from "./run-row.ts";
import { RUNNING } from "./running-runs.ts";
import type { Db } from "../sql-dialect.ts";
import { storedThreadOfRow, threadColumns } from "./thread-row.ts";

interface Asked extends Owner {
  readonly threadId: string;
  readonly questionId: string;
}

/** `Storage["runs"]["standing"]`: the thread, its running run and the question's latest run, in one round trip. */
export function threadStanding(db: Db): Storage["runs"]["standing"] {
  const find = compileOnce((given: Given<Asked>) => {
    const owner = { projectId: given((asked) => asked.projectId), visitorId: given((asked) => asked.visitorId) };
    const questionId = given((asked) => asked.questionId);
    return ownedThread(
      db,
      owner,
      given(({ threadId }) => threadId),
    )
      .leftJoin("run", (join) =>
        join
          .onRef("run.thread_id", "=", "thread.thread_id")
          .on((is) => is.or([is("run.question_id", "=", questionId), is("run.status", "=", RUNNING)])),
      )
      .select(runColumns)
      .select(threadColumns)
      .orderBy("run.position", "desc")
      .compile();
  });

  return async (owner, threadId, questionId): Promise<ThreadStanding | undefined> => {
    const { rows } = await db.executeQuery(find({ ...owner, threadId, questionId }));
    const [first] = rows;
    if (!first) return undefined;
    // The left join gives a row of nulls for a thread without runs.
    const runs = rows.filter((row): row is typeof row & RunRow => row.run_id !== null);
    const asked = runs.find(({ question_id }) => question_id === questionId);
    const running = runs.find(({ status }) => status === "running");
    return {
      thread: storedThreadOfRow(first),
      ...(asked && { asked: runOfRow(asked) }),
      ...(running && { running: runOfRow(running) }),
    };
  };
}
