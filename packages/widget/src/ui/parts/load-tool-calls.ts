import { loadChunk } from "../../load-chunk.ts";

/**
 * The views of tool calls, including those that wait for the visitor. Many conversations have none, so this chunk loads with
 * the first.
 */
export const loadToolCalls = loadChunk(() => import("./tool-call-view.tsx"));
