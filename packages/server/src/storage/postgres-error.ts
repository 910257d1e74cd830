import { errorCode } from "./error-code.ts";
import { StorageUnavailableError } from "./storage.ts";

/**
 * Wraps an error of Postgres or its driver in a `StorageUnavailableError` when the database or the network is the
 * cause. An error that the program caused stays unchanged.
 */
export function explainedPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailableError) return error;
  const code = errorCode(error);
  // A code of five characters is an SQLSTATE (PostgreSQL manual, appendix A). Without one, the query did not reach
  // Postgres.
  if (code.length === 5 && !code.startsWith("E") && !isTrouble(code) && !isStalePlan(error)) return error;
  return new StorageUnavailableError(`Postgres is unavailable: ${reasonOf(error, code)}.`, { cause: error });
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
 * Whether Postgres refused a prepared statement because a migration has changed the type of a column. The error code,
 * feature_not_supported, has other causes too; the routine's name is the same in every message language.
 */
function isStalePlan(error: Error): boolean {
  return "routine" in error && error.routine === "RevalidateCachedQuery";
}

function reasonOf(error: Error, code: string): string {
  // A host name with several addresses fails with an AggregateError that has one error per address and no message.
  const reason = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return (reason || code || "no reason was given").replace(/\.$/, "");
}
