import { StorageUnavailableError } from "./storage.ts";

/**
 * What went wrong at Postgres, as the storage's callers know it: a `StorageUnavailableError` where the database or the
 * way to it is at fault, the error itself where the program is.
 */
export function explainedPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailableError) return error;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // Five characters are Postgres' own code (appendix A of its manual); without one, the query did not get that far.
  if (code.length === 5 && !code.startsWith("E") && !isTrouble(code)) return error;
  return new StorageUnavailableError(`Postgres cannot be asked now: ${reasonOf(error, code)}.`, { cause: error });
}

/**
 * Connections (08, 57P), the role or its password (28), a database that is not there (3D), resources such as a full disk
 * (53), the system (58), conflicts with other transactions (40), waits that took too long (55P03, 57014, 25P03), a
 * standby that takes no writes, and what the role may not do.
 */
function isTrouble(code: string): boolean {
  return ["08", "28", "3D", "40", "53", "55P03", "57P", "57014", "58", "25006", "25P03", "42501"].some((kind) =>
    code.startsWith(kind),
  );
}

function reasonOf(error: Error, code: string): string {
  // A name with several addresses fails with one error for each, and says nothing itself.
  const reason = error instanceof AggregateError ? error.errors.map(String).join("; ") : error.message;
  return (reason || code || "no reason was given").replace(/\.$/, "");
}
