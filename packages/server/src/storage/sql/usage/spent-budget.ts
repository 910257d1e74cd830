import { sql } from "kysely";
import type { CompiledQuery, RawBuilder } from "kysely";
import type { Owner } from "../../storage.ts";
import type { Spender, TokenBudget } from "../../usage.ts";
import { RUNNING } from "../rows/running-runs.ts";
import type { Db } from "../sql-dialect.ts";
import { utcDay } from "../utc-time.ts";

/** The tokens of a day, including those reserved for running runs; `null` without a budget. */
export interface SpentTokens {
  readonly visitor: number | string | null;
  readonly project: number | string | null;
}

/** Whose budget is used up; `undefined` when none is. */
export function spenderOf(
  spent: SpentTokens | undefined,
  { visitorTokens, projectTokens }: TokenBudget,
): Spender | undefined {
  if (visitorTokens !== null && Number(spent?.visitor) >= visitorTokens) return "visitor";
  if (projectTokens !== null && Number(spent?.project) >= projectTokens) return "project";
  return undefined;
}

/** The query for the tokens of a day. */
export function spentBudget(
  db: Db,
  owner: Owner,
  { visitorTokens, projectTokens }: TokenBudget,
  at: string,
): CompiledQuery<SpentTokens> {
  const { visitor, project } = spentTokens(db, owner, utcDay(at));
  const orNull = (sum: RawBuilder<unknown>, budget: number | null) => (budget === null ? sql`null` : sum);
  return sql<SpentTokens>`select ${orNull(visitor, visitorTokens)} as visitor, ${orNull(project, projectTokens)} as project`.compile(
    db,
  );
}

/** The expressions for the tokens of a day. */
export function spentTokens(
  db: Db,
  { projectId, visitorId }: Owner,
  day: string,
): Readonly<Record<keyof SpentTokens, RawBuilder<number>>> {
  const used = tokensOfProject(db, projectId, day);
  const usedByVisitor = tokensOfVisitor(db, projectId, visitorId, day);
  const reserved = db
    .selectFrom("run")
    .select(sql<number>`coalesce(sum(reserved_tokens), 0)`.as("tokens"))
    .where("project_id", "=", projectId)
    .where("status", "=", RUNNING);
  return {
    visitor: sql`(${usedByVisitor}) + (${reserved.where("visitor_id", "=", visitorId)})`,
    project: sql`(${used}) + (${reserved})`,
  };
}

/** The query for the tokens of a project on a day. */
export function tokensOfProject(db: Db, projectId: string, day: string) {
  return db.selectFrom("project_usage").select(tokens).where("project_id", "=", projectId).where("day", "=", day);
}

/** The query for the tokens of a visitor on a day. */
export function tokensOfVisitor(db: Db, projectId: string, visitorId: string | RawBuilder<string>, day: string) {
  return db
    .selectFrom("visitor_usage")
    .select(tokens)
    .where("project_id", "=", projectId)
    .where("visitor_id", "=", visitorId)
    .where("day", "=", day);
}

const tokens = sql<number>`coalesce(sum(input_tokens + output_tokens), 0)`.as("tokens");
