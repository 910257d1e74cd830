import { describe, expect, it } from "vitest";
import { branchTo, endingIn, headBelow, parentsOf, pathTo } from "./branch.ts";
import type { Message } from "./message.ts";

/** `q1` was edited to `q2`. `q2` has the answers `a2` and `a3`. `q3` follows `a2`. */
const thread = [
  message("q1", null),
  message("a1", "q1"),
  message("q2", null),
  message("a2", "q2"),
  message("a3", "q2"),
  message("q3", "a2"),
  message("a4", "q3"),
];

describe("parentsOf", () => {
  it("reads a list without parents as one straight line", () => {
    expect([...parentsOf([message("a"), message("b"), message("c")])]).toEqual([
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ]);
  });

  it("gives a message with an unknown parent the message before it", () => {
    expect(parentsOf([message("a", null), message("b", "lost")]).get("b")).toBe("a");
  });

  it("gives a message that references itself or a later one the message before it", () => {
    expect([...parentsOf([message("a", "a"), message("b", "c"), message("c", "b")])]).toEqual([
      ["a", null],
      ["b", "a"],
      ["c", "b"],
    ]);
  });

  it("makes no cycle of two messages with the same id", () => {
    const messages = [message("a", null), message("b", "a"), message("a", "b")];
    expect([...parentsOf(messages)]).toEqual([
      ["a", null],
      ["b", "a"],
    ]);
    expect(branchTo(messages, "b").map((branch) => branch.message.id)).toEqual(["a", "b"]);
    expect(headBelow(messages, "a")).toBe("b");
  });
});

describe("branchTo", () => {
  it("walks from the first message to the head, each with its place among its siblings", () => {
    expect(branchTo(thread, "a4")).toEqual([
      { message: message("q2", null), number: 2, count: 2, siblings: ["q1", "q2"] },
      { message: message("a2", "q2"), number: 1, count: 2, siblings: ["a2", "a3"] },
      { message: message("q3", "a2"), number: 1, count: 1, siblings: ["q3"] },
      { message: message("a4", "q3"), number: 1, count: 1, siblings: ["a4"] },
    ]);
  });

  it("sorts siblings by date, whatever their order in the list", () => {
    const at = (id: string, day: number): Message => ({
      ...message(id, "q"),
      createdAt: `2026-11-0${day}T12:00:00.000Z`,
    });
    const list = [message("q", null), at("a1", 1), at("a3", 3), at("a2", 2)];
    expect(branchTo(list, undefined).at(-1)).toMatchObject({ number: 2, siblings: ["a1", "a2", "a3"] });
    // A message that was just made has no date yet.
    expect(branchTo([...list, message("new", "q")], undefined).at(-1)?.number).toBe(4);
  });

  it("ends in the list's last message when the head is unknown", () => {
    expect(branchTo(thread, "no such").at(-1)?.message.id).toBe("a4");
    expect(branchTo(thread, undefined).at(-1)?.message.id).toBe("a4");
  });

  it("is empty for an empty thread", () => {
    expect(branchTo([], "a")).toEqual([]);
  });
});

describe("pathTo", () => {
  it.each([
    ["a4", ["q2", "a2", "q3", "a4"]],
    ["a3", ["q2", "a3"]],
    ["q1", ["q1"]],
    ["lost", []],
    [null, []],
  ])("gives the messages up to %s", (endId, expected) => {
    expect(pathTo(thread, endId).map(({ id }) => id)).toEqual(expected);
  });
});

describe("endingIn", () => {
  it.each([
    ["a3", "q1 a1 q2 a2 q3 a4 a3"],
    ["q1", "q1 q2 a2 a3 q3 a4 a1"],
    ["q2", "q1 a1 q2 a2 q3 a4 a3"],
    ["q3", "q1 a1 q2 a2 a3 q3 a4"],
    ["lost", "q1 a1 q2 a2 a3 q3 a4"],
    [null, "q1 a1 q2 a2 a3 q3 a4"],
  ])("puts the last message of the branch of %s at the end", (messageId, expected) => {
    const ids = endingIn(thread, messageId).map(({ id }) => id);
    expect(ids.join(" ")).toBe(expected);
  });
});

describe("headBelow", () => {
  it("follows the newest child down to a message without children", () => {
    expect(headBelow(thread, "q1")).toBe("a1");
    expect(headBelow(thread, "q2")).toBe("a3");
    expect(headBelow(thread, "a2")).toBe("a4");
    expect(headBelow(thread, "a4")).toBe("a4");
  });
});

describe("any tree", () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))("is consistent (tree %i)", (seed) => {
    const random = randomNumbers(seed);
    const messages = randomTree(random);
    const parents = parentsOf(messages);

    expect([...parents.keys()]).toEqual(messages.map(({ id }) => id));
    for (const { id } of messages) {
      const branch = branchTo(messages, id);
      const ids = branch.map((step) => step.message.id);
      expect(ids.at(-1)).toBe(id);
      expect(parents.get(ids[0] ?? "")).toBeNull();
      for (const [index, step] of branch.entries()) {
        const parent = index === 0 ? null : ids[index - 1];
        const siblings = messages.map((each) => each.id).filter((each) => parents.get(each) === parent);
        expect(step.siblings).toEqual(siblings);
        expect(step.count).toBe(siblings.length);
        expect(siblings[step.number - 1]).toBe(step.message.id);
      }
      const head = headBelow(messages, id);
      expect(branchTo(messages, head).map((step) => step.message.id)).toContain(id);
      expect([...parents.values()]).not.toContain(head);
    }
  });
});

function message(id: string, parentId?: string | null): Message {
  const fields = { id, role: "user", content: id } as const;
  return parentId === undefined ? fields : { ...fields, parentId };
}

/**
 * Up to 40 messages. Most have an earlier parent; the others have `null`, themselves, a later message, an unknown one,
 * or none.
 */
function randomTree(random: () => number): Message[] {
  const messages: Message[] = [];
  const size = Math.floor(random() * 40);
  for (let i = 0; i < size; i += 1) {
    const kind = random();
    const earlier = messages[Math.floor(random() * messages.length)]?.id ?? null;
    if (kind < 0.7) messages.push(message(`m${i}`, earlier));
    else if (kind < 0.8) messages.push(message(`m${i}`, null));
    else if (kind < 0.9) messages.push(message(`m${i}`, `m${i + Math.floor(random() * 3)}`));
    else messages.push(message(`m${i}`));
  }
  return messages;
}

/** The same numbers between 0 and 1 for the same seed (a linear congruential generator). */
function randomNumbers(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
