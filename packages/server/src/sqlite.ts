/** The storage in one SQLite file. */
export { copySqlite } from "./storage/sqlite/sqlite-copy.ts";
export { migrateSqlite, openSqliteStorage } from "./storage/sqlite.ts";
export type { SqliteStorageOptions } from "./storage/sqlite.ts";
