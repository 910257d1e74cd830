import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Attachment, Message, Part } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { messageChars } from "./prompt-chars.ts";
import { openPrompt } from "./prompt.ts";
import type { PromptOptions } from "./prompt.ts";

const FILE_BUDGET = 20_000_000;

describe("the prompt of a random conversation", () => {
  it.each(Array.from({ length: 150 }, (_, seed) => seed))("stays within the limit (seed %i)", async (seed) => {
    const random = createRandom(seed);
    const contextChars = random.pick([0, 50, 500, 5_000, 50_000]);
    const instructions = random.pick([undefined, "Be brief.", "x".repeat(400)]);
    const { history, stored } = randomConversation(random);
    const read = new Map<string, number>();
    const prompt = await openPrompt({
      history,
      instructions,
      contextChars,
      toolsChars: random.pick([0, 120]),
      data: random.pick([undefined, "d".repeat(300)]),
      readAttachment: async ({ id }, maxBytes) => {
        const bytes = stored.get(id) ?? Buffer.alloc(0);
        read.set(id, bytes.length);
        return maxBytes === undefined ? bytes : bytes.subarray(0, maxBytes);
      },
    });

    const sent = prompt.messages();
    const question = history.at(-1);
    const words = typeof question?.content === "string" ? question.content : "";
    const always = words.length + (instructions?.length ?? 0);
    expect(charsOf(sent)).toBeLessThanOrEqual(Math.max(contextChars, always));
    expect(JSON.stringify(sent.at(-1))).toContain(words);
    expect(sent.find(({ role }) => role !== "system")?.role).toBe("user");
    expectReadIsSent(sent, read);

    prompt.add(randomStep(random));
    const next = prompt.messages();
    const said = charsOf(next.filter(({ role }) => role === "assistant").slice(-1));
    expect(charsOf(next)).toBeLessThanOrEqual(Math.max(contextChars, always + said));
    expect(next.slice(-2).map(({ role }) => role)).toEqual(["assistant", "tool"]);
  });
});

describe("a conversation longer than the limit", () => {
  it("begins with the same question for many turns", async () => {
    const history: Message[] = [];
    const beginnings: unknown[] = [];
    for (let turn = 0; turn < 60; turn += 1) {
      history.push(user(`q${turn}`, `${turn} ${"q".repeat(90)}`));
      const sent = await send({ history, contextChars: 4_000 });
      expect(charsOf(sent)).toBeLessThanOrEqual(4_000);
      expect(sent[0]?.role).toBe("user");
      beginnings.push(JSON.stringify(sent[0]));
      history.push(assistant(`a${turn}`, [{ type: "text", text: "a".repeat(100) }]));
    }
    expect(new Set(beginnings).size).toBeLessThan(8);
    // The beginning rarely changes, so that the provider's prompt cache hits.
    expect(beginnings.filter((beginning, turn) => turn > 0 && beginning !== beginnings[turn - 1]).length).toBeLessThan(
      7,
    );
  });

  it("still sends the file that the first question was about", async () => {
    const text = "f".repeat(50_000);
    const file = attachment("long.txt", "text/plain", text.length);
    const history = [
      { ...user("q1", "What is this?"), attachments: [file] },
      assistant("a1", [{ type: "text", text: "Much." }]),
      user("q2", "And its end?"),
    ];
    const readAttachment = async () => Buffer.from(text);
    const sent = await send({ history, contextChars: 20_000, readAttachment });
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(JSON.stringify(sent[0])).toContain("[Cut off here: the rest did not fit.]");
    expect(charsOf(sent)).toBeLessThanOrEqual(20_000);
    expect(await send({ history: history.slice(0, 1), contextChars: 20_000, readAttachment })).toEqual(
      sent.slice(0, 1),
    );
  });
});

describe("the files of a conversation", () => {
  it("are read only if they are sent, and only as far as they are sent", async () => {
    const asked: [string, number | undefined][] = [];
    const attachments = [
      attachment("a.png", "image/png", 15_000_000),
      attachment("b.png", "image/png", 15_000_000),
      attachment("c.zip", "application/zip", 5_000_000),
      attachment("d.txt", "text/plain", 9_000_000),
    ];
    const sent = await send({
      history: [{ ...user("q1", "Look"), attachments }],
      contextChars: 50_000,
      readAttachment: async ({ name }, maxBytes) => {
        asked.push([name, maxBytes]);
        return Buffer.alloc(Math.min(maxBytes ?? 10, 9_000_000), "x");
      },
    });
    expect(asked).toEqual([
      ["a.png", undefined],
      ["d.txt", expect.any(Number)],
    ]);
    expect(asked[1]?.[1]).toBeLessThan(200_000);
    expect(sent[0]?.content).toMatchObject([
      { text: "Look" },
      { type: "file", filename: "a.png" },
      { text: expect.stringContaining("holds too many") as unknown },
      { text: expect.stringContaining("cannot read files of this kind") as unknown },
      { text: expect.stringContaining("Cut off here") as unknown },
    ]);
  });
});

function expectReadIsSent(sent: LanguageModelV4Prompt, read: ReadonlyMap<string, number>): void {
  const json = JSON.stringify(sent.map(({ content }) => content));
  let bytes = 0;
  for (const [id, size] of read) {
    expect(json).toContain(id);
    if (id.endsWith(".png")) bytes += size;
  }
  expect(bytes).toBeLessThanOrEqual(FILE_BUDGET);
}

function randomConversation(random: Random) {
  const stored = new Map<string, Buffer>();
  const history: Message[] = [];
  const turns = 1 + random.below(12);
  for (let turn = 0; turn < turns; turn += 1) {
    const attachments = Array.from({ length: random.pick([0, 0, 1, 3]) }, (_, index): Attachment => {
      const [extension, type] = random.pick([
        ["txt", "text/plain"],
        ["json", "application/json"],
        ["svg", "image/svg+xml"],
        ["png", "image/png"],
        ["zip", "application/zip"],
      ] as const);
      const id = `f${turn}-${index}.${extension}`;
      const bytes = Buffer.from(random.pick(["x", "я", "😀"]).repeat(random.below(4_000)));
      stored.set(id, bytes);
      return { id, type: "file", name: id, contentType: type, size: bytes.length, url: `api/debug/attachments/${id}` };
    });
    history.push({ ...user(`q${turn}`, `${turn} ${"q".repeat(random.below(800))}`), attachments });
    if (turn < turns - 1) history.push(assistant(`a${turn}`, randomAnswer(random)));
  }
  return { history, stored };
}

function randomAnswer(random: Random): readonly Part[] {
  const call: Part = {
    type: "tool-call",
    toolCallId: `c${random.below(1_000)}`,
    toolName: "search",
    argsText: JSON.stringify({ words: "w".repeat(random.below(300)) }),
    result: random.pick<unknown>(["r".repeat(random.below(90_000)), { found: random.below(9) }, null]),
  };
  const text: Part = { type: "text", text: "a".repeat(1 + random.below(2_000)) };
  return random.pick([[text], [call, text], [text, call], [{ type: "reasoning", text: "hm" }], []]);
}

function randomStep(random: Random): LanguageModelV4Prompt {
  const calls = Array.from({ length: 1 + random.below(3) }, (_, index) => `s${index}`);
  return [
    {
      role: "assistant",
      content: calls.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "search", input: {} })),
    },
    {
      role: "tool",
      content: calls.map((toolCallId) => ({
        type: "tool-result",
        toolCallId,
        toolName: "search",
        output: random.pick([
          { type: "text", value: "r".repeat(random.below(80_000)) } as const,
          { type: "json", value: { rows: "r".repeat(random.below(8_000)) } } as const,
          { type: "content", value: [{ type: "text", text: "r".repeat(random.below(8_000)) }] } as const,
        ]),
      })),
    },
  ];
}

async function send(options: Partial<PromptOptions> & Pick<PromptOptions, "history">): Promise<LanguageModelV4Prompt> {
  const readAttachment = () => Promise.reject(new Error("Nothing is read"));
  return (await openPrompt({ contextChars: null, toolsChars: 0, readAttachment, ...options })).messages();
}

function charsOf(messages: LanguageModelV4Prompt): number {
  return messages.reduce((sum, message) => sum + messageChars(message), 0);
}

function user(id: string, content: string): Message {
  return { id, role: "user", content };
}

function assistant(id: string, content: readonly Part[]): Message {
  return { id, role: "assistant", content };
}

function attachment(name: string, contentType: string, size: number): Attachment {
  return { id: name, type: "file", name, contentType, size, url: `api/debug/attachments/${name}` };
}

interface Random {
  below(limit: number): number;
  pick<T>(of: readonly T[]): T;
}

/** Pseudo-random numbers that are the same for the same seed. */
function createRandom(seed: number): Random {
  let state = seed + 1;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (of) => of[below(of.length)] as (typeof of)[number] };
}
