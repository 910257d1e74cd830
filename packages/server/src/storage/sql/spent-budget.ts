import { sql } from "kysely";
import type { Expression } from "kysely";
import type { Owner } from "../storage.ts";
import type { Spender, TokenBudget } from "../usage.ts";
import type { Db } from "./sql-dialect.ts";
import { utcDay } from "./utc-time.ts";

/** Whose budget the day's tokens have used up, those reserved for running answers included. */
export async function spentBudget(
  db: Db,
  { projectId, visitorId }: Owner,
  { visitorTokens, projectTokens }: TokenBudget,
  at: string,
): Promise<Spender | undefined> {
  const day = utcDay(at);
  if (visitorTokens !== null) {
    const used = db
      .selectFrom("visitor_usage")
      .select(tokens)
      .where("project_id", "=", projectId)
      .where("visitor_id", "=", visitorId)
      .where("day", "=", day);
    const reserved = running(db, projectId).where("visitor_id", "=", visitorId);
    if ((await sumOf(db, used, reserved)) >= visitorTokens) return "visitor";
  }
  if (projectTokens !== null) {
    const used = db
      .selectFrom("project_usage")
      .select(tokens)
      .where("project_id", "=", projectId)
      .where("day", "=", day);
    if ((await sumOf(db, used, running(db, projectId))) >= projectTokens) return "project";
  }
  return undefined;
}

const tokens = sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as("tokens");

function running(db: Db, projectId: string) {
  return db
    .selectFrom("run")
    .select(sql<number>`coalesce(sum(reserved_tokens), 0)`.as("tokens"))
    .where("project_id", "=", projectId)
    .where("status", "=", "running");
}

async function sumOf(db: Db, used: Expression<unknown>, reserved: Expression<unknown>): Promise<number> {
  const { rows } = await sql<{ readonly total: number | string }>`select (${used}) + (${reserved}) as total`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}
