/** Whose data: what the routes need to know of the storage. */
export type { Owner } from "../storage/storage.ts";
