import { describe, expect, it } from "vitest";
import type { Message } from "@nitka/protocol";
import { threadOpener } from "../contract/thread.contract.ts";
import type { OpenOptions } from "../contract/server.contract.ts";
import { messagesOf } from "../storage/contract/fixture.contract.ts";

const { openThread } = threadOpener();

const at = "2026-11-21T12:00:00.000Z";

/** Questions with a file inside each, as they were stored before such files became uploads. */
async function openLarge(count: number, chars: number, options: OpenOptions = {}) {
  const opened = await openThread(options);
  const { storage, client, threadId } = opened;
  const owner = { projectId: "default", visitorId: client.cookie?.split("=")[1]?.split(".")[0] ?? "" };
  for (let n = 0; n < count; n += 1) {
    const url = `data:text/plain;base64,${"QUJD".repeat(chars / 4)}`;
    const file = { id: `f${n}`, type: "document", name: "a", contentType: "text/plain", size: 9, url } as const;
    const question: Message = { id: `q${n}`, role: "user", content: "🧵", attachments: [file], parentId: null };
    const run = { runId: `r${n}`, threadId, questionId: `q${n}`, answerId: `a${n}`, instanceId: "before" };
    await storage.runs.begin(owner, run, question, { regenerate: false, at });
    const answer: Message = { id: `a${n}`, role: "assistant", content: "🧵".repeat(70_000), parentId: `q${n}` };
    await storage.runs.end(run.runId, { ...answer, status: { type: "complete" } }, at);
  }
  return { storage, client, threadId, owner };
}

describe("a thread of large messages", () => {
  it("is sent completely and in order", async () => {
    const { storage, client, threadId, owner } = await openLarge(3, 1_200_000);
    expect(await client.messages(threadId)).toEqual(await messagesOf(storage, owner, threadId));
  });

  it("is read no further than its reader reads, and no further after the reader has left", async () => {
    const { client, threadId } = await openLarge(10, 1_200_000, { timings: { slowReaderMs: 100 } });
    const response = await client.get(`threads/${threadId}/messages`);
    await expect(response.body?.getReader().closed).rejects.toThrow("The reader was too slow");
  });
});
