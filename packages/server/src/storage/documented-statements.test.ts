/**
 * The SQL in docs/operating.md and docs/extending.md, on a real Postgres. `preparePostgresRoles` runs the statements
 * that make the roles.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { postgresForFile } from "./contract/postgres-for-file.contract.ts";
import { preparePostgresRoles } from "./contract/postgres-roles.contract.ts";
import { queryPostgres } from "./contract/query-postgres.contract.ts";
import { migratePostgres } from "./postgres.ts";

const postgres = postgresForFile();

it("the documented statements run on the schema that a migration makes", async () => {
  const url = await postgres.current.createDatabase();
  const { owner } = await preparePostgresRoles(url);
  await migratePostgres({ url: owner });
  const text = readFileSync(new URL("../../../../docs/operating.md", import.meta.url), "utf8");
  const statements = [...text.matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql = ""]) => sql);
  const rest = statements.filter((sql) => !sql.startsWith("create role"));
  expect(statements.length - rest.length).toBe(1);
  expect(rest).toHaveLength(1);
  for (const sql of rest) await queryPostgres(url, `set search_path to nitka; ${sql}`);
});
