/** The code of a driver's or the system's error, such as an SQLSTATE or `ENOENT`; empty when it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** SQLite's result code of an error; 0 when it has none. */
export function sqliteErrorCode(error: unknown): number {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode : 0;
}
