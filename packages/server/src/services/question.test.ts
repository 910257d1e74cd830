import { describe, expect, it } from "vitest";
import { createScriptedModel, saying } from "../model/scripted-model.ts";
import type { MessageNode } from "../storage/storage.ts";
import { readyProjects } from "./projects.ts";
import { placeQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";
import type { ThreadFiles } from "./thread-files.ts";

const tree: readonly MessageNode[] = [
  { id: "q1", role: "user", parentId: null, bytes: 3 },
  { id: "a1", role: "assistant", parentId: "q1", bytes: 3 },
];

async function parentOf(asked: Partial<AskedQuestion>, messages = tree): Promise<unknown> {
  const project = readyProjects({ default: { models: [createScriptedModel({ script: saying("Да") })] } }).get(
    "default",
  );
  if (!project) throw new Error("There is no project");
  const place = { threadId: "t", at: "2026-01-01T00:00:00.000Z" };
  const files: ThreadFiles = {
    find: async () => undefined,
    keep: async ({ name, contentType }) => ({ id: "f1", type: "document", name, contentType, size: 2, url: "u" }),
  };
  return (await placeQuestion({ id: "q2", content: "b", ...asked }, messages, project, files, place)).parentId;
}

describe("a question's place in its thread", () => {
  it("is below the parent that it names, first, or at the end of the shown branch", async () => {
    expect([await parentOf({ parentId: "q1" }), await parentOf({ parentId: null }), await parentOf({})]).toEqual([
      "q1",
      null,
      "a1",
    ]);
  });

  it("is none for files inside it when the thread's messages are large already", async () => {
    const large = [{ id: "q1", role: "user", parentId: null, bytes: 39_999_999 } as const];
    const url = "data:text/plain;base64,SGk=";
    for (const content of [
      [{ type: "file", mimeType: "text/plain", url }],
      [{ type: "file", mimeType: "text/plain", data: "SGk=" }],
    ] as const) {
      const asking = parentOf({ content }, large);
      await expect(asking).rejects.toThrow("39999999 bytes, and the files inside this one have 2 more");
    }
    expect(await parentOf({ attachments: [{ id: "b", url }] }, large)).toBe("q1");
  });

  it("is none below an unknown parent, or under another message's id", async () => {
    await expect(parentOf({ parentId: "q9" })).rejects.toThrow("names no message of this thread");
    await expect(parentOf({ id: "a1" })).rejects.toThrow("The id a1 belongs to another message.");
  });
});
