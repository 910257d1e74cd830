/** The operators' desk: its API over a storage. Its pages are in the package's folder `pages`. */
export { createDesk } from "./create-desk.ts";
export type { Desk, DeskOptions } from "./create-desk.ts";
export type { DeskOperator } from "./routes/desk-session.ts";
