import { setTimeout as delay } from "node:timers/promises";
import { openPostgresKnowledge } from "../store/open-postgres.ts";
import { openSqliteKnowledge } from "../store/open-sqlite.ts";
import { readSources } from "./read-sources.ts";

// One of two processes that want to read: it waits while the other one reads, and then reads once, unless it is killed.
const [database = "", sitemap = ""] = process.argv.slice(2);
const isPostgres = database.startsWith("postgres");
const store = await (isPostgres ? openPostgresKnowledge({ url: database }) : openSqliteKnowledge({ path: database }));
process.send?.("ready");
const options = { store, projectId: "shop", sources: [{ sitemap }], signal: new AbortController().signal };
let result = await readSources({ ...options, limits: { leaseMs: 2_000 } });
while (result === "busy") {
  await delay(50);
  result = await readSources({ ...options, limits: { leaseMs: 2_000 } });
}
process.send?.(result);
await store.close();
process.disconnect();
