import { StorageUnavailableError } from "./storage.ts";

/** The database is available, but its schema has another version than this program needs. */
export class SchemaVersionError extends StorageUnavailableError {
  override readonly name = "SchemaVersionError";
  /** The version of the database's schema: 0 when there is none. */
  readonly version: number;

  /** Whether a migration would bring it to the required version. */
  readonly isEarlier: boolean;

  constructor(message: string, version: number, isEarlier: boolean) {
    super(message);
    this.version = version;
    this.isEarlier = isEarlier;
  }
}
