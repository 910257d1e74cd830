import { loadChunk } from "../../load-chunk.ts";

/** The views of tool calls that wait for the visitor. Most conversations have none, so this chunk loads with the first. */
export const loadApproval = loadChunk(() => import("./tool-approval.tsx"));
