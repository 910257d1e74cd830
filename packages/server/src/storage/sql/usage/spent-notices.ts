/** The statements that notify webhooks when a day's budget is used up. They run after the tokens were added. */
import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { SpentTelling } from "../../usage.ts";
import { tokensOfProject, tokensOfVisitor } from "./spent-budget.ts";
import type { Db, SqlDialect } from "../sql-dialect.ts";
import { utcDay, utcTime } from "../utc-time.ts";
import { insertWebhookEvents } from "../webhooks/webhook-rows.ts";

/** Tokens that a transaction has added. */
export interface Spending {
  readonly telling: SpentTelling;
  /** The visitor who used the tokens: an id, or a query for it. */
  readonly visitorId: string | RawBuilder<unknown>;
  readonly at: string;
}

/**
 * The statements to send at the end of the transaction that has added the tokens. They lock the budgets of each
 * project, so that the second of two transactions sees what the first has added. `spent_budget` remembers the
 * notifications that were stored.
 */
export function spentNotices(db: Db, dialect: SqlDialect, spendings: readonly Spending[]): readonly CompiledQuery[] {
  const projectIds = [...new Set(spendings.map(({ telling }) => telling.projectId))].toSorted();
  const locks = projectIds.flatMap((id) => dialect.lock(JSON.stringify(["tokens", id])) ?? []);
  const checks = spendings.flatMap((spending) => checksOf(db, dialect, spending));
  return [...locks, ...checks].map((each) => each.compile(db));
}

function checksOf(
  db: Db,
  dialect: SqlDialect,
  { telling: { projectId, urls, budget }, visitorId, at }: Spending,
): readonly RawBuilder<unknown>[] {
  const day = utcDay(at);
  const visitor = sql<string>`cast((${visitorId}) as text)`;
  const visitorSum = sql`(${tokensOfVisitor(db, projectId, visitor, day)})`;
  const projectSum = sql`(${tokensOfProject(db, projectId, day)})`;
  const spent = dialect.table("spent_budget");

  const checks = (
    whose: RawBuilder<unknown>,
    sum: RawBuilder<unknown>,
    limit: "tokensPerDay" | "projectTokensPerDay",
    tokens: number,
  ) => {
    const isSpent = sql`${sum} >= ${tokens} and ${whose} is not null and not exists (
      select 1 from ${spent} where project_id = ${projectId} and visitor_id = ${whose} and day = ${day})`;
    const text = (value: string | null) => sql`cast(${value} as text)`;
    const tell = (url: string) =>
      insertWebhookEvents(
        dialect,
        {
          project_id: text(projectId),
          url: text(url),
          type: text("budget.spent"),
          at: text(utcTime(at)),
          visitor_id: sql`nullif(${whose}, '')`,
          thread_id: text(null),
          message_id: text(null),
          tool_call_id: text(null),
          fields: text(JSON.stringify({ limit, tokens, day })),
          texts: text(null),
        },
        sql`(select 1 as one) as once where ${isSpent}`,
      );
    const remember = sql`
      insert into ${spent} (project_id, visitor_id, day) select ${text(projectId)}, ${whose}, ${text(day)} where ${isSpent}`;
    return [...urls.map(tell), remember];
  };

  return [
    ...(budget.visitorTokens === null ? [] : checks(visitor, visitorSum, "tokensPerDay", budget.visitorTokens)),
    ...(budget.projectTokens === null
      ? []
      : checks(sql`cast('' as text)`, projectSum, "projectTokensPerDay", budget.projectTokens)),
  ];
}
