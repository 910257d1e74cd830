/** Re-exports the type for `routes`, which may not import `storage`. */
export type { Owner } from "../storage/storage.ts";
