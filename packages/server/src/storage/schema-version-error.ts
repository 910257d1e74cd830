import { StorageUnavailableError } from "./storage.ts";

/** The schema is of another version than this program needs. Otherwise the database is available. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
  /** The version of the database's schema: 0 where there is no schema. */
  readonly version: number;

  constructor(message: string, version: number) {
    super(message);
    this.version = version;
  }
}
