/** For tests of other packages: a server with a visitor, a model whose output the test controls, rows for a storage. */
export { createHeldModel } from "./contract/held-model.contract.ts";
export { eventsOf, ORIGIN, refusalOf } from "./contract/server.contract.ts";
export { serveForTest } from "./contract/listen.contract.ts";
export type { LogLine } from "./contract/server.contract.ts";
export { finish, threadOpener, wordsOf } from "./contract/thread.contract.ts";
export { allOf, answer, question, run } from "./storage/contract/fixture.contract.ts";
