/** Our widget in front of a route of the AI SDK. */
export { createMemoryThreads } from "./memory-threads.ts";
export { createNitkaRoutes } from "./nitka-routes.ts";
export type { NitkaRoutesOptions } from "./nitka-routes.ts";
export type { ChatRoute } from "./ask-route.ts";
export type { StoredThread, ThreadChanges, ThreadStorage } from "./thread-storage.ts";
