/** Our own search over the corpora of a file, in a separate process. Prints the ranks of all questions. See `variants.ts`. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createKnowledge, openSqliteKnowledge } from "@nitka/knowledge";
import type { KnowledgeStore } from "@nitka/knowledge";
import type { Corpus } from "./corpora.ts";
import { judge } from "./judge.ts";
import type { Search } from "./judge.ts";

/** The number of passages, which is enough for five pages. */
const LIMIT = 20;

function searchIn(store: KnowledgeStore): Search {
  const knowledge = createKnowledge({ store, projectId: "p" });
  return async (question) => {
    const found = await knowledge.search(question, { limit: LIMIT, signal: AbortSignal.timeout(30_000) });
    return found.map(({ url }) => url.replace(/#.*$/s, ""));
  };
}

export async function fill(store: KnowledgeStore, { pages }: Corpus): Promise<void> {
  for (const { content, title: _, passages: __, ...page } of pages) await store.putPage("p", page, content);
}

if (import.meta.main) {
  const judged = [];
  for (const corpus of JSON.parse(await readFile(process.argv[2] ?? "", "utf8")) as readonly Corpus[]) {
    const place = await mkdtemp(join(tmpdir(), "nitka-retrieval-"));
    const store = await openSqliteKnowledge({ path: join(place, "k.db") });
    await fill(store, corpus);
    judged.push(await judge(corpus, searchIn(store)));
    await store.close();
    await rm(place, { recursive: true });
  }
  process.stdout.write(JSON.stringify(judged));
}
