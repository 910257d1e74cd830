import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, describe, expect, test } from "vitest";
import { describeKnowledgeStore } from "./knowledge-store.contract.ts";
import { openPostgresKnowledge } from "./store/open-postgres.ts";

const postgres = await startTemporaryPostgres();
afterAll(async () => postgres.stop());

describe("pages in Postgres", () => {
  describeKnowledgeStore(async () => openPostgresKnowledge({ url: await postgres.createDatabase() }));

  test("are written by some at a time, in any order of their words, while others open the store", async () => {
    const url = await postgres.createDatabase();
    const store = await openPostgresKnowledge({ url });
    const words = Array.from({ length: 150 }, (_, at) => `слово${at}`);
    const put = async (name: string, text: string): Promise<void> =>
      await store.putPage(
        "shop",
        { url: `https://shop.example/${name}`, source: "s", digest: text, readAt: 1 },
        { title: name, passages: [{ headings: [], text }] },
      );
    const open = async (): Promise<void> => await (await openPostgresKnowledge({ url })).close();
    try {
      for (let round = 0; round < 8; round += 1) {
        const [forth, back] = [words.join(" "), words.toReversed().join(" ")];
        await Promise.all([
          put("a", forth),
          put("b", back),
          put("c", `${forth} ${round}`),
          put("d", back),
          open(),
          open(),
        ]);
      }
      expect(await store.knownPages("shop")).toHaveLength(4);
    } finally {
      await store.close();
    }
  });
});
