// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { describe, expect, it } from "vitest";
import { createVisibleBranch } from "./visible-branch.ts";

const message = (id: string, parentId: string | null, content = id): Message => ({
  id,
  role: "assistant",
  content,
  parentId,
});
const tree = [message("q", null), message("a", "q"), message("b", "q"), message("r", "b")];
const places = (branch: ReturnType<ReturnType<typeof createVisibleBranch>>) =>
  branch.map((entry) => `${entry.message.id} ${entry.number}/${entry.count}`);

describe("the visible branch", () => {
  it("leads to the head, with the number of each message among its siblings", () => {
    const visibleBranch = createVisibleBranch();
    expect(places(visibleBranch({ messages: tree, headId: "r" }))).toEqual(["q 1/1", "b 2/2", "r 1/1"]);
    expect(places(visibleBranch({ messages: tree, headId: "a" }))).toEqual(["q 1/1", "a 1/2"]);
  });

  it("is the same object while nothing has changed", () => {
    const visibleBranch = createVisibleBranch();
    const first = visibleBranch({ messages: tree, headId: "r" });
    expect(visibleBranch({ messages: tree, headId: "r" })).toBe(first);
  });

  it("has one new entry while a message grows", () => {
    const visibleBranch = createVisibleBranch();
    const [question, answer, last] = visibleBranch({ messages: tree, headId: "r" });
    const grown = visibleBranch({ messages: tree.with(3, message("r", "b", "больше")), headId: "r" });
    expect(grown[0]).toBe(question);
    expect(grown[1]).toBe(answer);
    expect(grown[2]).toEqual({ ...last, message: message("r", "b", "больше") });
  });

  it("is recomputed when a sibling is added, and keeps the entries that are equal", () => {
    const visibleBranch = createVisibleBranch();
    const [question] = visibleBranch({ messages: tree, headId: "r" });
    const after = visibleBranch({ messages: [...tree, message("c", "q")], headId: "c" });
    expect(after[0]).toBe(question);
    expect(places(after)).toEqual(["q 1/1", "c 3/3"]);
  });
});
