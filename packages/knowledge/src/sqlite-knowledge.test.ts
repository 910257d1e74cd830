import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { describeKnowledgeStore } from "./knowledge-store.contract.ts";
import { openSqliteKnowledge } from "./store/open-sqlite.ts";

describe("pages in SQLite", () => {
  describeKnowledgeStore(async () =>
    openSqliteKnowledge({ path: join(mkdtempSync(join(tmpdir(), "nitka-knowledge-")), "knowledge.db") }),
  );
});
