import { openSqliteKnowledge } from "../store/open-sqlite.ts";
import { readSources } from "./read-sources.ts";
import type { KnowledgeSource } from "./sources/knowledge-source.ts";
import type { ReadingLimits } from "./sources/request.ts";

/** What the process is asked for: one reading into the file that its argument names. */
export interface ReadingOrder {
  readonly sources: readonly KnowledgeSource[];
  readonly limits: Partial<ReadingLimits>;
}

// A process of its own, whose memory the test limits and measures.
const store = await openSqliteKnowledge({ path: process.argv[2] ?? "" });

async function read(order: ReadingOrder): Promise<void> {
  const result = await readSources({ ...order, store, projectId: "shop", signal: new AbortController().signal });
  process.send?.({ result, megabytes: Math.round(process.resourceUsage().maxRSS / 1_024) });
}

process.on("message", (order: ReadingOrder) => void read(order));
process.send?.("ready");
