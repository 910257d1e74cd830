import { StorageUnavailableError } from "./storage.ts";

/** The schema is of another version than this program needs. Otherwise the database is available. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
}
