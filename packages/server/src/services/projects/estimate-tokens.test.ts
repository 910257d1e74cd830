import type { Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

const question = (content: Message["content"], rest?: Partial<Message>): Message => ({
  id: "q1",
  parentId: null,
  role: "user",
  content,
  ...rest,
});
const file = (contentType: string, size: number) =>
  ({ id: "f1", type: "file", name: "a", contentType, size, url: "" }) as const;

it.each<[string, number, readonly Message[], string, number]>([
  ["nothing", 0, [], "", 0],
  ["a text, rounded up", 2, [question("Слово")], "", 0],
  ["the messages, the instructions and everything else", 6, [question("four"), question("more")], "Be brief", 8],
  ["a tool's arguments and its result", 3, [question([call({ argsText: '{"a":1}', result: "abc" })])], "", 0],
  ["a tool's arguments before it has a result", 2, [question([call({ argsText: '{"a":1}' })])], "", 0],
  ["a text file by its size", 25, [question("", { attachments: [file("text/plain", 100)] })], "", 0],
])("counts four characters as a token: %s", (_, tokens, messages, instructions, moreChars) => {
  expect(estimateTokens(messages, instructions, moreChars)).toBe(tokens);
});

it("counts a file that is no text the same whatever its size", () => {
  const [small, large] = [1, 9_000_000].map((size) =>
    estimateTokens([question("", { attachments: [file("image/png", size)] })]),
  );
  expect(small).toBeGreaterThan(0);
  expect(large).toBe(small);
});

function call(part: { readonly argsText: string; readonly result?: string }) {
  return { type: "tool-call", toolCallId: "c1", toolName: "search", args: {}, ...part } as const;
}
