import type { Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import type { MessageNode } from "../../storage/storage.ts";
import { anna } from "../../storage/contract/fixture.contract.ts";
import { threadText } from "./thread-text.ts";

/** A page has at most 256,000 bytes. A larger message is a page of its own. */
const LARGE = 256_001;

/** The messages that a text of these nodes has, the number of its pieces, and the turns that were waited for. */
async function read(nodes: readonly Pick<MessageNode, "role" | "bytes">[]) {
  const tree = nodes.map((node, index) => ({ ...node, id: `${index}`, parentId: null }));
  const message = (id: string): Message => ({ id, parentId: null, role: "user", content: id });
  let turns = 0;
  const options = {
    messages: {
      read: async (_owner: unknown, _threadId: string, ids: readonly string[]) => ids.map(message),
      text: async function* (_owner: unknown, _threadId: string, id: string) {
        const text = JSON.stringify(message(id));
        yield* [text.slice(0, 5), text.slice(5)];
      },
    },
    owner: anna,
    threadId: "t1",
    running: () => [],
    toolViews: undefined,
    turns: { next: async () => void (turns += 1) },
  };
  const pieces = await allOf(threadText(tree, options));
  const messages = JSON.parse(pieces.join("")) as readonly Message[];
  return { ids: messages.map(({ id }) => id).join(" "), pieces: pieces.length, turns };
}

const question = { role: "user", bytes: 1 } as const;
const answer = { role: "assistant", bytes: 1 } as const;

it.each<[string, readonly Pick<MessageNode, "role" | "bytes">[], Awaited<ReturnType<typeof read>>]>([
  ["no message", [], { ids: "", pieces: 1, turns: 0 }],
  ["one page", [question, answer], { ids: "0 1", pieces: 2, turns: 0 }],
  ["two pages", Array.from({ length: 101 }, () => answer), { ids: numbers(101), pieces: 3, turns: 1 }],
  ["a large answer", [{ ...answer, bytes: LARGE }], { ids: "0", pieces: 2, turns: 1 }],
  ["a large question in two pieces", [{ ...question, bytes: LARGE }], { ids: "0", pieces: 3, turns: 3 }],
  [
    "a large question between others",
    [question, { ...question, bytes: LARGE }, answer],
    { ids: "0 1 2", pieces: 5, turns: 4 },
  ],
])("a thread with %s is read page by page, each but a small first one in its own turn", async (_, nodes, text) => {
  expect(await read(nodes)).toEqual(text);
});

async function allOf(pieces: AsyncIterable<string>): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => index).join(" ");
}

it("an answer that is being written has what was written since its last checkpoint", async () => {
  const stored: Message = { id: "a", parentId: null, role: "assistant", content: "Ра", status: { type: "running" } };
  const suggestions = [{ title: "Ещё", prompt: "Ещё?" }];
  const pieces = threadText([{ ...answer, id: "a", parentId: null }], {
    messages: { read: async () => [stored], text: async function* () {} },
    owner: anna,
    threadId: "t1",
    running: () => [
      { ...stored, id: "other" },
      { ...stored, content: "Раз два", suggestions },
    ],
    toolViews: undefined,
    turns: { next: async () => undefined },
  });
  expect(JSON.parse((await allOf(pieces)).join(""))).toEqual([{ ...stored, content: "Раз два", suggestions }]);
});

it("no piece ends inside of a character", async () => {
  const nodes = [{ ...answer, id: "a", parentId: null }];
  for (const before of ["", "a"]) {
    const message: Message = { id: "a", parentId: null, role: "assistant", content: before + "😀".repeat(70_000) };
    const pieces = threadText(nodes, {
      messages: { read: async () => [message], text: async function* () {} },
      owner: anna,
      threadId: "t1",
      running: () => [],
      toolViews: undefined,
      turns: { next: async () => undefined },
    });
    const all = await allOf(pieces);
    expect([all.length, all.filter((piece) => !piece.isWellFormed())]).toEqual([4, []]);
    expect(JSON.parse(all.join(""))).toEqual([message]);
  }
});
