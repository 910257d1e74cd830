import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { describeKnowledgeStore } from "./knowledge-store.contract.ts";
import { openSqliteKnowledge } from "./store/open-sqlite.ts";

const newPath = () => join(mkdtempSync(join(tmpdir(), "nitka-knowledge-")), "knowledge.db");

describe("pages in SQLite", () => {
  describeKnowledgeStore(async () => openSqliteKnowledge({ path: newPath() }));

  it("get the newest index when they are opened by what may make it, and are found without it", async () => {
    const path = newPath();
    await (await openSqliteKnowledge({ path })).close();
    const database = new DatabaseSync(path);
    database.exec("drop index page_size");
    const hasIndex = () => database.prepare("select 1 from sqlite_master where name = 'page_size'").all().length > 0;
    await (await openSqliteKnowledge({ path, create: false })).close();
    expect(hasIndex()).toBe(false);
    await (await openSqliteKnowledge({ path })).close();
    expect(hasIndex()).toBe(true);
    database.close();
  });
});
