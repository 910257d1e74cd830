/** For `routes`, which may not import `storage`. */
export type { Owner } from "../storage/storage.ts";
