import { StorageUnavailableError } from "./storage.ts";

/**
 * An error of Postgres or its driver: as a `StorageUnavailableError` where the database or the network is the cause, and
 * unchanged where the program is.
 */
export function explainedPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailableError) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // A code of five characters is an SQLSTATE (PostgreSQL manual, appendix A); without one, the query did not reach Postgres.
  if (code.length === 5 && !code.startsWith("E") && !isTrouble(code) && !isStalePlan(error)) return error;
  return new StorageUnavailableError(`Postgres cannot be asked now: ${reasonOf(error, code)}.`, { cause: error });
}

/**
 * Connections (08, 57P), authentication (28), a missing database (3D), resources such as a full disk (53), system errors
 * (58), conflicts with other transactions (40), timeouts (55P03, 57014, 25P03), a read-only standby (25006), missing
 * rights (42501), and statements that another client of a pooler has prepared (26000, 42P05).
 */
function isTrouble(code: string): boolean {
  return [
    "08",
    "28",
    "3D",
    "40",
    "53",
    "55P03",
    "57P",
    "57014",
    "58",
    "25006",
    "25P03",
    "26000",
    "42P05",
    "42501",
  ].some((kind) => code.startsWith(kind));
}

/**
 * Whether a prepared statement is refused because a migration has changed the type of a column. Its code,
 * feature_not_supported, has other causes too; the routine is the same in every language of the database's messages.
 */
function isStalePlan(error: Error): boolean {
  return "routine" in error && error.routine === "RevalidateCachedQuery";
}

function reasonOf(error: Error, code: string): string {
  // A host name with several addresses fails with one error for each, in an error without a message.
  const reason = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return (reason || code || "no reason was given").replace(/\.$/, "");
}
