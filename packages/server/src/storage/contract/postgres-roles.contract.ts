import { readFileSync } from "node:fs";
import { queryPostgres } from "./query-postgres.contract.ts";

export interface PostgresRoles {
  /** The address for the role that changes the schema. */
  readonly owner: string;
  /** The address for the role that serves. */
  readonly app: string;
}

/** Two roles with the rights of docs/operating.md, made with its own statements. */
export async function preparePostgresRoles(url: string): Promise<PostgresRoles> {
  const operating = readFileSync(new URL("../../../../../docs/operating.md", import.meta.url), "utf8");
  const statements = /```sql\n(?<text>create role.*?)```/s.exec(operating)?.groups?.["text"];
  if (statements === undefined) throw new Error("docs/operating.md has no statements that make the roles any more.");
  const roles = statements.split("\n").filter((line) => line.startsWith("create role"));
  const rights = statements.split("\n").filter((line) => !line.startsWith("create role"));
  // Roles belong to the cluster, so another database may have made them.
  const missing = await queryPostgres(url, "select 1 from pg_roles where rolname = 'nitka_app'");
  if (missing.length === 0) await queryPostgres(url, roles.join("\n"));
  await queryPostgres(url, rights.join("\n"));
  return { owner: addressFor(url, "nitka_owner"), app: addressFor(url, "nitka_app") };
}

function addressFor(url: string, role: string): string {
  const address = new URL(url);
  address.username = role;
  return address.href;
}
