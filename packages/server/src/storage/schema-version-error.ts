import { StorageUnavailableError } from "./storage.ts";

/** The schema is of another version than this program needs. Otherwise the database is available. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
  /** The version of the database's schema: 0 where there is no schema. */
  readonly version: number;

  /** Whether a migration makes it the version that is needed. */
  readonly isEarlier: boolean;

  constructor(message: string, version: number, isEarlier: boolean) {
    super(message);
    this.version = version;
    this.isEarlier = isEarlier;
  }
}
