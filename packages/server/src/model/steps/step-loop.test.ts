import { jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Attachment, Message } from "@nitka/protocol";
import { ask, partsOfAnswer, textOfAnswer } from "../model.contract.ts";
import type { ModelRequest } from "../model.ts";
import type { ProviderModelOptions } from "../provider-model.ts";
import { absentVisitor } from "../testing/absent-visitor.ts";
import { calls, createScriptedService, refuses, says, settledBy } from "../testing/scripted-fetch.ts";
import type { ScriptedResponse } from "../testing/scripted-fetch.ts";

const look = tool({ inputSchema: z.object({}), execute: async () => "42" });

async function asking(
  responses: readonly ScriptedResponse[],
  options: Partial<ProviderModelOptions> = {},
  more: Partial<ModelRequest> = {},
) {
  const { clock, model, sent } = createScriptedService(responses, { tools: { look }, ...options });
  const { events, error } = await settledBy(clock, ask({ model, question: "go" }, more));
  return {
    text: textOfAnswer(events),
    parts: partsOfAnswer(events),
    sent: sent.map(({ body }) => body),
    error,
  };
}

describe("a tool call", () => {
  it.each(["tool_calls", "stop", "eos", "end_turn", ""])(
    "is executed whatever the finish reason: %j",
    async (reason) => {
      const { parts, sent } = await asking([calls("look", {}, reason), says("It is 42")]);
      expect(parts).toMatchObject([{ toolName: "look", result: "42" }, { text: "It is 42" }]);
      expect(sent).toHaveLength(2);
    },
  );

  it.each(["length", "model_length", "MAX_TOKENS", "content_filter", "SAFETY", "content_filter: RECITATION"])(
    "is not executed after %s",
    async (reason) => {
      const { parts, sent } = await asking([calls("look", {}, reason)]);
      expect(parts).toMatchObject([{ toolName: "look" }]);
      expect(parts[0]).not.toHaveProperty("result");
      expect(sent).toHaveLength(1);
    },
  );

  it.each(["null", '"{}"', " "])("has no arguments where a model writes %j", async (written) => {
    const { parts, sent } = await asking([calls("look", written), says("It is 42")]);
    expect(parts).toMatchObject([{ toolName: "look", args: {}, result: "42" }, { text: "It is 42" }]);
    expect(sent[1]?.messages).toMatchObject([{}, { tool_calls: [{ function: { arguments: "{}" } }] }, {}]);
  });

  it.each(["[]", "7", '"now"'])("is wrong with arguments that are no object: %s", async (written) => {
    const any = tool({ inputSchema: jsonSchema({}), execute: async () => "42" });
    const { parts, sent } = await asking([calls("look", written), says("Sorry")], { tools: { look: any } });
    expect(parts).toMatchObject([
      { isError: true, result: expect.stringContaining("must be an object") },
      { text: "Sorry" },
    ]);
    expect(sent[1]?.messages).toMatchObject([{}, { tool_calls: [{ function: { arguments: "{}" } }] }, {}]);
  });

  it.each(["network_error", "ERROR"])("fails with the answer after %s", async (reason) => {
    const { error, sent } = await asking([calls("look", {}, reason)]);
    expect(error).toMatchObject({ code: "upstream_unavailable" });
    expect(sent).toHaveLength(1);
  });

  it("is impossible in the last step, which has text instead", async () => {
    const { parts, sent } = await asking([calls("look"), says("It must be 42")], { maxSteps: 2 });
    expect(parts).toMatchObject([{ result: "42" }, { text: "It must be 42" }]);
    expect(sent.map(({ tool_choice }) => tool_choice)).toEqual(["auto", "none"]);
  });
});

const picture: Attachment = { id: "1", type: "image", name: "a.png", contentType: "image/png", size: 4, url: "a/1" };
const scan: Attachment = {
  id: "2",
  type: "document",
  name: "b.pdf",
  contentType: "application/pdf",
  size: 4,
  url: "a/2",
};
const sound: Attachment = { id: "3", type: "file", name: "c.ogg", contentType: "audio/ogg", size: 4, url: "a/3" };
const asked = (...attachments: readonly Attachment[]): Partial<ModelRequest> => ({
  history: [{ id: "q", role: "user", content: "What is this?", attachments }],
  readAttachment: async () => Buffer.from("%PDF"),
});
const LEFT_OUT = "The file was left out: the model cannot read it.";

describe("a request with files", () => {
  it.each([400, 413, 415, 422])("is repeated once without them after %i, and the model is told", async (status) => {
    const { text, sent } = await asking([refuses(status), says("I cannot see it")], {}, asked(picture));
    expect(text).toBe("I cannot see it");
    expect(JSON.stringify(sent[0])).toContain("image_url");
    expect(JSON.stringify(sent[1])).not.toContain("image_url");
    expect(JSON.stringify(sent[1])).toContain(LEFT_OUT);
  });

  it("is repeated once, not twice", async () => {
    const { error, sent } = await asking([refuses(400), refuses(400)], {}, asked(picture));
    expect(error).toMatchObject({ code: "upstream_refused" });
    expect(sent).toHaveLength(2);
  });

  it.each([401, 404])("is not repeated after %i", async (status) => {
    expect((await asking([refuses(status)], {}, asked(picture))).sent).toHaveLength(1);
  });

  it("is not repeated after 400 if it had no files", async () => {
    expect((await asking([refuses(400)])).sent).toHaveLength(1);
  });

  it("is sent without a file that the provider's code refuses before any request", async () => {
    const { text, sent } = await asking([says("I cannot hear it")], { input: ["audio"] }, asked(sound));
    expect(text).toBe("I cannot hear it");
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent[0])).toContain(LEFT_OUT);
  });

  it.each<[ProviderModelOptions["input"], boolean, boolean]>([
    [["image", "pdf"], true, true],
    [["image"], true, false],
    [undefined, true, false],
    [["audio"], false, false],
    [[], false, false],
  ])("has what the model reads: %j has a picture: %j, a PDF: %j", async (input, hasPicture, hasScan) => {
    const { sent } = await asking([says("ok")], input ? { input } : {}, asked(picture, scan));
    const body = JSON.stringify(sent[0]);
    expect([body.includes("image_url"), body.includes("file_data")]).toEqual([hasPicture, hasScan]);
    expect(body.split(LEFT_OUT)).toHaveLength(1 + Number(!hasPicture) + Number(!hasScan));
  });
});

it("A model that gets no tools gets neither the server's nor the page's, nor calls of earlier answers", async () => {
  const call = { type: "tool-call", toolCallId: "x", toolName: "look", argsText: "{}", result: "41" } as const;
  const history: readonly Message[] = [
    { id: "1", role: "user", content: "before" },
    { id: "2", role: "assistant", content: [call, { type: "text", text: "It was 41" }] },
    { id: "3", role: "user", content: "go" },
  ];
  const basket = { name: "basket", description: "Adds", parameters: { type: "object" } };
  const visitor = { ...absentVisitor, tools: [basket] };
  const { sent, text } = await asking([says("fine")], { sendsTools: false }, { history, visitor });
  expect(text).toBe("fine");
  expect(sent[0]).not.toHaveProperty("tools");
  expect(sent[0]?.messages).toEqual([
    { role: "user", content: "before" },
    { role: "assistant", content: "It was 41" },
    { role: "user", content: "go" },
  ]);
});

describe("a conversation that is too long", () => {
  const turns = Array.from({ length: 8 }, (_, n): readonly Message[] => [
    { id: `q${n}`, role: "user", content: `question ${n} ${"q".repeat(200)}` },
    { id: `a${n}`, role: "assistant", content: [{ type: "text", text: "a".repeat(200) }] },
  ]).flat();
  const history: readonly Message[] = [...turns, { id: "q", role: "user", content: "go" }];
  const tooLong = refuses(400, "This model's maximum context length is 8192 tokens");

  it("is sent once more with half of its history", async () => {
    const { text, sent } = await asking([tooLong, says("Better")], {}, { history });
    expect(text).toBe("Better");
    expect(sent.map(({ messages }) => messages.length)).toEqual([17, 9]);
    expect(sent[1]?.messages[0]?.content).toContain("question 4");
    expect(sent[1]?.messages.at(-1)?.content).toBe("go");
  });

  it("is not sent a third time", async () => {
    const { error, sent } = await asking([tooLong, tooLong], {}, { history });
    expect(error).toMatchObject({ code: "context_too_long" });
    expect(sent).toHaveLength(2);
  });

  it("never exceeds contextTokens, including its instructions and tools", async () => {
    const { sent } = await asking([says("ok")], { contextTokens: 500 }, { history, instructions: "i".repeat(400) });
    expect(sent[0]?.messages.length).toBeGreaterThan(2);
    const { messages = [], tools } = sent[0] ?? {};
    expect(JSON.stringify([messages.map(({ content }) => content), tools]).length).toBeLessThan(500 * 4);
  });

  it("fails without a request when the question alone exceeds contextTokens", async () => {
    const question: Message = { id: "q", role: "user", content: "q".repeat(500) };
    const { error, sent } = await asking([], { contextTokens: 100 }, { history: [question] });
    expect(error).toMatchObject({ code: "context_too_long" });
    expect(sent).toHaveLength(0);
  });
});

it("Questions whose answers failed reach the model as one turn", async () => {
  const history = ["one", "two", "three"].map((content): Message => ({ id: content, role: "user", content }));
  const { sent } = await asking([says("ok")], {}, { history });
  expect(sent[0]?.messages).toEqual([{ role: "user", content: "one\n\ntwo\n\nthree" }]);
});
