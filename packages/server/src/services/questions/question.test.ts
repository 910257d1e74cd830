import { describe, expect, it } from "vitest";
import type { MessageNode } from "../../storage/storage.ts";
import { placeQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";

const tree: readonly MessageNode[] = [
  { id: "q1", role: "user", parentId: null, bytes: 3 },
  { id: "a1", role: "assistant", parentId: "q1", bytes: 3 },
];

async function parentOf(asked: Partial<AskedQuestion>): Promise<unknown> {
  const none = () => Promise.reject(new Error("The question has no files"));
  const question = { id: "q2", content: "b", ...asked };
  return (await placeQuestion(question, tree, { find: none, keep: none }, "2026-01-01T00:00:00.000Z")).parentId;
}

describe("the parent of a question", () => {
  it("is the message that it references, none for null, or the end of the shown branch", async () => {
    expect([await parentOf({ parentId: "q1" }), await parentOf({ parentId: null }), await parentOf({})]).toEqual([
      "q1",
      null,
      "a1",
    ]);
  });

  it("must be in the thread", async () => {
    await expect(parentOf({ parentId: "q9" })).rejects.toThrow("is not the id of a message in this thread");
  });
});
