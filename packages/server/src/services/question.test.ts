import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { createScriptedModel, saying } from "../model/scripted-model.ts";
import { readyProjects } from "./projects.ts";
import { checkQuestion } from "./question.ts";
import type { AskedQuestion } from "./question.ts";

const url = "data:text/plain;base64,SGk=";

/** A thread that holds a file of so many bytes. */
function threadWith(size: number, place: string): readonly Message[] {
  const file = { id: "a", type: "document", name: "a.txt", contentType: "text/plain", size, url: place } as const;
  return [{ id: "q1", role: "user", content: "a", attachments: [file], parentId: null }];
}

async function ask(messages: readonly Message[], asked: Partial<AskedQuestion>): Promise<Message> {
  const project = readyProjects({ default: { models: [createScriptedModel({ script: saying("Да") })] } }).get(
    "default",
  );
  if (!project) throw new Error("There is no project");
  const place = { threadId: "t", at: "2026-01-01T00:00:00.000Z" };
  return checkQuestion({ id: "q2", content: "b", ...asked }, messages, project, async () => undefined, place);
}

describe("files inside the messages of a thread", () => {
  const full = threadWith(39_999_999, url);

  it.each<[string, Partial<AskedQuestion>]>([
    ["an attachment", { attachments: [{ id: "b", url }] }],
    ["a part", { content: [{ type: "file", mimeType: "text/plain", data: "SGk=" }] }],
  ])("are refused beyond 40 MB in all: %s", async (_, asked) => {
    await expect(ask(full, asked)).rejects.toThrow(
      "This thread holds 39999999 bytes of files inside its messages, and this message has 2 more",
    );
  });

  it("are taken up to there, and beside uploads of any size", async () => {
    const attachments = [{ id: "b", url }];
    expect((await ask(threadWith(39_999_998, url), { attachments })).attachments).toHaveLength(1);
    expect((await ask(threadWith(90_000_000, "api/debug/attachments/a"), { attachments })).attachments).toHaveLength(1);
  });

  it("keep nobody from writing on", async () => {
    expect((await ask(full, {})).parentId).toBe("q1");
  });
});
