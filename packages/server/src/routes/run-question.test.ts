import { describe, expect, it } from "vitest";
import { eventsOf, refusalOf } from "../contract/server.contract.ts";
import { threadOpener } from "../contract/thread.contract.ts";

const { openHeld, openThread } = threadOpener();

describe("a question that is refused", () => {
  const png = `data:image/png;base64,${btoa("\x89PNG\r\n\x1a\n")}`;
  const file = (url: string) => ({ type: "file" as const, mimeType: "text/plain", url });
  const inBase64 = (data: string) => ({ type: "file", mimeType: "text/plain", data });
  const bodyOf = (content: unknown) => JSON.stringify({ messages: [{ id: "q1", role: "user", content }] });

  it.each<[string, unknown]>([
    ["no messages", {}],
    ["an empty list", { messages: [] }],
    [
      "two messages",
      {
        messages: [
          { id: "a", role: "user", content: "a" },
          { id: "b", role: "user", content: "b" },
        ],
      },
    ],
    ["a system message", { messages: [{ id: "q1", role: "system", content: "a" }] }],
    ["an answer", { messages: [{ id: "q1", role: "assistant", content: "a" }] }],
    ["no id", { messages: [{ role: "user", content: "a" }] }],
    ["an empty id", { messages: [{ id: "", role: "user", content: "a" }] }],
    ["an id with a line break", { messages: [{ id: "a\nb", role: "user", content: "a" }] }],
    ["no content", { messages: [{ id: "q1", role: "user" }] }],
    ["a number for content", { messages: [{ id: "q1", role: "user", content: 7 }] }],
    ["an empty text", { messages: [{ id: "q1", role: "user", content: " \n" }] }],
    ["no parts", { messages: [{ id: "q1", role: "user", content: [] }] }],
    [
      "a tool call",
      {
        messages: [
          { id: "q1", role: "user", content: [{ type: "tool-call", toolCallId: "c", toolName: "t", argsText: "" }] },
        ],
      },
    ],
    ["reasoning", { messages: [{ id: "q1", role: "user", content: [{ type: "reasoning", text: "a" }] }] }],
    ["an unknown part", { messages: [{ id: "q1", role: "user", content: [{ type: "video", url: "a" }] }] }],
    [
      "51 parts",
      {
        messages: [
          { id: "q1", role: "user", content: Array.from({ length: 51 }, () => ({ type: "text", text: "a" })) },
        ],
      },
    ],
    ["a text too long", { messages: [{ id: "q1", role: "user", content: "a".repeat(100_001) }] }],
    [
      "an image from the web",
      { messages: [{ id: "q1", role: "user", content: [{ type: "image", image: "http://169.254.169.254/" }] }] },
    ],
    ["a file from the web", { messages: [{ id: "q1", role: "user", content: [file("https://evil.example/a.txt")] }] }],
    [
      "an image that is a text",
      { messages: [{ id: "q1", role: "user", content: [{ type: "image", image: "data:text/html;base64,YQ==" }] }] },
    ],
    [
      "a file of a kind that is not taken",
      {
        messages: [{ id: "q1", role: "user", content: [{ type: "file", mimeType: "application/zip", data: "YQ==" }] }],
      },
    ],
    ["broken base64", { messages: [{ id: "q1", role: "user", content: [file("data:text/plain;base64,@@@@")] }] }],
    [
      "six files",
      {
        messages: [
          { id: "q1", role: "user", content: Array.from({ length: 6 }, () => ({ type: "image", image: png })) },
        ],
      },
    ],
    ["an unknown parent", { messages: [{ id: "q1", role: "user", content: "a", parentId: "nobody" }] }],
    ["itself for a parent", { messages: [{ id: "q1", role: "user", content: "a", parentId: "q1" }] }],
    ["an unknown trigger", { messages: [{ id: "q1", role: "user", content: "a" }], trigger: "resume-stream" }],
    [
      "an unknown question to regenerate",
      { messages: [{ id: "q1", role: "user", content: "a" }], trigger: "regenerate-message" },
    ],
    ["a list", []],
    ["nothing", null],
  ])("is refused before the model hears of it: %s", async (_, body) => {
    const { model, client, threadId } = await openHeld();
    expect(await refusalOf(await client.post(`threads/${threadId}/run/stream`, body))).toBe("422 unprocessable");
    expect([model.requests, await client.messages(threadId)]).toEqual([[], []]);
  });

  it("gets an error that names the problem", async () => {
    const { client, threadId } = await openThread();
    const response = await client.ask(threadId, { id: "q1", content: "a".repeat(100_001) });
    expect(await response.json()).toEqual({
      error: { code: "unprocessable", message: "The message has 100001 characters: at most 100000 are accepted." },
    });
  });

  it("is one whose id is an answer's, or whose parent is in another thread", async () => {
    const { client, threadId } = await openThread();
    await eventsOf(await client.ask(threadId, { id: "q1" }));
    const answer = (await client.messages(threadId))[1];
    expect(await refusalOf(await client.ask(threadId, { id: answer?.id ?? "" }))).toBe("422 unprocessable");
    const other = await client.newThread();
    expect(await refusalOf(await client.ask(other, { id: "q2", parentId: "q1" }))).toBe("422 unprocessable");
  });

  it.each([
    ["no JSON", "{", {}, "400 bad_request"],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), {}, "400 bad_request"],
    ["too deep a nest", "[".repeat(40) + "]".repeat(40), {}, "400 bad_request"],
    ["another content type", "{}", { "content-type": "text/plain" }, "415 unsupported_media_type"],
    ["a compressed body", "{}", { "content-encoding": "gzip" }, "415 unsupported_media_type"],
    ["more than a megabyte", bodyOf("a".repeat(1_000_001)), {}, "413 payload_too_large"],
    ["more than a megabyte with a word of files", bodyOf(`data:${"a".repeat(1_000_001)}`), {}, "413 payload_too_large"],
    ["more than 12 MB with files", bodyOf([inBase64("A".repeat(12_000_000))]), {}, "413 payload_too_large"],
  ])("is %s", async (_, body, headers, refusal) => {
    const { client, threadId } = await openThread();
    const path = `threads/${threadId}/run/stream`;
    const response = await client.fetch(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    expect(await refusalOf(response)).toBe(refusal);
  });

  it("may be a body without a length and without an end", async () => {
    const { client, threadId } = await openThread();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 100_000;
        controller.enqueue(new Uint8Array(100_000).fill(0x20));
      },
    });
    const init = { method: "POST", body, headers: { "content-type": "application/json" }, duplex: "half" } as const;
    const response = await client.fetch(`threads/${threadId}/rename`, init);
    expect(await refusalOf(response)).toBe("413 payload_too_large");
    expect(sent).toBeLessThan(1_500_000);
  });
});
