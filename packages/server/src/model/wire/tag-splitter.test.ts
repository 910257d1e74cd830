import type { Part } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { ask, partsOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { hastyClock, playedUpstream } from "./played-upstream.contract.ts";
import { TagSplitter, reallyOf } from "./tag-splitter.ts";
import type { BlockType, ReasoningTag } from "./tag-splitter.ts";

const upstream = playedUpstream();

const think = { tag: "think" };
const first = { tag: "think", first: true };

/** A text, its streamed form, and its stored form if that differs: `r:` is reasoning, `t:` is text. */
const texts: [string, ReasoningTag, string, string, string?][] = [
  ["tags around the reasoning", think, "<think>Hm, 2 < 3.</think>\n\nThree", "r:Hm, 2 < 3.|t:Three"],
  ["blanks before the tag", think, "\n <think>\nHm</think>Three", "r:Hm|t:Three"],
  ["text before the tag", think, "Well. <think>Hm</think> Three", "t:Well. |r:Hm|t:Three"],
  ["two pairs", think, "<think>a</think>b<think>c</think>d", "r:a|t:b|r:c|t:d"],
  ["no reasoning between the tags", think, "<think>\n\n</think>\n\nThree", "t:Three"],
  ["no tag", think, "  2 < 3, </b>, <thin", "t:  2 < 3, </b>, <thin"],
  ["a tag of another name", { tag: "thought" }, "<think>a</think>", "t:<think>a</think>"],
  ["a tag that is spoken of", think, "Write `<think>` and `</think>`.", "t:Write `<think>` and `</think>`."],
  ["no closing tag", think, "<think>Hm", "r:Hm"],
  ["no opening tag", think, "Hm\n</think>\n\nThree", "t:Hm\n|t:Three", "r:Hm\n|t:Three"],
  ["a closing tag at the beginning", think, "</think>\n\nThree", "t:Three"],
  ["the template's opening tag", first, "\nHm</think>\n\nThree", "r:Hm|t:Three"],
  ["the template's opening tag and the model's", first, "<think>Hm</think>Three", "r:Hm|t:Three"],
  ["the template's opening tag and no closing one", first, "Three < four", "r:Three < four", "t:Three < four"],
];

describe("A text with", () => {
  it.each<(typeof texts)[number]>(texts)("%s is split wherever it is cut", (_, tag, text, sent, stored = sent) => {
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (const second of [cut, Math.min(cut + 3, text.length)]) {
        const blocks = blocksOf(tag, [text.slice(0, cut), text.slice(cut, second), text.slice(second)]);
        expect(blocks.map(({ type, text: each }) => `${type[0]}:${each}`).join("|")).toBe(sent);
        expect(blocks.map(({ really, text: each }) => `${really[0]}:${each}`).join("|")).toBe(stored);
      }
    }
  });

  it("text of a server that separates reasoning itself is text, even if it should begin inside the tag", () => {
    const splitter = new TagSplitter(first);
    splitter.split({ type: "reasoning-start", id: "r" });
    expect(splitter.split({ type: "text-delta", id: "t", delta: "Three" })).toMatchObject([
      { type: "text-start" },
      { type: "text-delta", delta: "Three" },
    ]);
  });
});

describe("A model behind an OpenAI-compatible server", () => {
  it.each<[string, object, readonly Part[], readonly string[]]>([
    ["<think>Hm</think>Three", {}, [reasoning("Hm"), text("Three")], []],
    ["<think>Hm</think>Three", { reasoningTag: false }, [text("<think>Hm</think>Three")], []],
    ["<plan>Hm</plan>Three", { reasoningTag: "plan" }, [reasoning("Hm"), text("Three")], []],
    ["Hm</think>Three", {}, [text("Hm"), text("Three")], ["t1 reasoning"]],
    ["Hm</think>Three", { reasoningFirst: true }, [reasoning("Hm"), text("Three")], []],
    ["Three", { reasoningFirst: true }, [reasoning("Three")], ["r1 text"]],
  ])("splits %s by its options %j", async (content, options, parts, recasts) => {
    const baseUrl = upstream.play({ body: JSON.stringify({ choices: [{ message: { content } }] }) });
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl, clock: hastyClock, ...options });
    const recast: string[] = [];
    const onRecast = (id: string, really: BlockType) => recast.push(`${id} ${really}`);
    const { events } = await ask({ model, question: "go" }, { onRecast });
    expect(partsOfAnswer(events)).toEqual(parts);
    expect(recast).toEqual(recasts);
  });

  it.each([
    ["<think>The user wants a name</think>Tea", {}, "Tea"],
    ["The user wants a name</think>Tea", {}, "Tea"],
    ["<think>The user wants a", {}, undefined],
    ["The user wants a name</think>Tea", { reasoningFirst: true }, "Tea"],
    ["Tea", { reasoningFirst: true }, "Tea"],
  ])("makes no title from reasoning: %s, %j", async (content, options, title) => {
    const baseUrl = upstream.play({
      type: "application/json",
      body: JSON.stringify({ choices: [{ message: { content } }] }),
    });
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl, clock: hastyClock, ...options });
    const history = [{ id: "q", role: "user", content: "Tea?" } as const];
    expect(await model.title({ history, signal: new AbortController().signal })).toBe(title);
  });

  it("sends the reasoning before a closing tag back as reasoning, not as text", async () => {
    const call = { id: "c1", function: { name: "missing", arguments: "{}" } };
    const message = { content: "Hm</think>I ask.", tool_calls: [call] };
    const body = JSON.stringify({ choices: [{ message, finish_reason: "tool_calls" }] });
    const baseUrl = upstream.play({ body }, { body: JSON.stringify({ choices: [{ message: { content: "Three" } }] }) });
    await ask({ model: createOpenAiCompatibleModel({ model: "m", baseUrl }), question: "go" });
    const { messages } = upstream.asked[1] as { readonly messages: readonly object[] };
    expect(messages[1]).toMatchObject({ role: "assistant", content: "I ask.", reasoning_content: "Hm" });
  });
});

/** The blocks of a text in pieces: the streamed types, and the real ones. */
function blocksOf(tag: ReasoningTag, pieces: readonly string[]) {
  const splitter = new TagSplitter(tag);
  const parts = [
    ...splitter.split({ type: "text-start", id: "t" }),
    ...pieces.flatMap((delta) => splitter.split({ type: "text-delta", id: "t", delta })),
    ...splitter.split({ type: "text-end", id: "t" }),
  ];
  const blocks: { type: BlockType; really: BlockType; text: string }[] = [];
  for (const part of parts) {
    const type = part.type.startsWith("text") ? "text" : "reasoning";
    const last = blocks.at(-1);
    if (part.type.endsWith("-start")) blocks.push({ type, really: type, text: "" });
    else if (last && "delta" in part) last.text += part.delta;
    else if (last) last.really = reallyOf(part) ?? type;
  }
  return blocks;
}

function text(content: string): Part {
  return { type: "text", text: content };
}

function reasoning(content: string): Part {
  return { type: "reasoning", text: content };
}
