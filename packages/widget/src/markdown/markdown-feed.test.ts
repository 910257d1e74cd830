// @vitest-environment node
import { describe, expect, it } from "vitest";
import { createMarkdownFeed } from "./markdown-feed.ts";
import type { FeedClock, MarkdownFeed } from "./markdown-feed.ts";
import { isFormula } from "./math/is-formula.ts";
import { createMathSyntax } from "./math/math-syntax.ts";

/** A clock that the test advances. Each `now()` also advances it by `costMs`. */
function scriptedClock(costMs = 0) {
  let time = 0;
  let timers: readonly { readonly at: number; readonly callback: () => void }[] = [];
  const clock: FeedClock = {
    now: () => (time += costMs),
    after(ms, callback) {
      const timer = { at: time + ms, callback };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  return {
    clock,
    pending: () => timers.length,
    advance: (ms: number) => {
      time += ms;
      const due = timers.filter(({ at }) => at <= time);
      timers = timers.filter(({ at }) => at > time);
      for (const { callback } of due) callback();
    },
  };
}

function textOf(feed: MarkdownFeed): string {
  return JSON.stringify(feed.snapshot().blocks);
}

describe("a feed", () => {
  it("parses a finished text at once", () => {
    const { clock, pending } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "# A", streaming: false });
    expect(textOf(feed)).toContain('"heading"');
    expect(pending()).toBe(0);
  });

  it("parses the first text at once, also when an empty snapshot was rendered before", () => {
    const { clock } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "", streaming: true });
    feed.subscribe(() => undefined);
    feed.rendered(feed.snapshot());
    feed.write({ text: "a", streaming: false, appended: { from: 0, text: "a" } });
    expect(textOf(feed)).toContain('"a"');
  });

  it("parses a short tail at once, and a long one less often", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    let changes = 0;
    feed.subscribe(() => (changes += 1));
    feed.write({ text: "a", streaming: true });
    advance(1);
    feed.write({ text: "ab", streaming: true });
    expect(textOf(feed)).toContain('"ab"');
    advance(1);
    const long = `ab${" word".repeat(2000)}`;
    feed.write({ text: long, streaming: true });
    const snapshot = feed.snapshot();
    feed.write({ text: `${long} end`, streaming: true });
    advance(45);
    expect(feed.snapshot()).toBe(snapshot);
    advance(10);
    expect(textOf(feed)).toContain(' end"');
    expect(changes).toBe(4);
  });

  it("pauses three times as long as the last parse and its rendering took", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.subscribe(() => undefined);
    feed.write({ text: "a", streaming: true });
    advance(40);
    feed.rendered(feed.snapshot());
    feed.write({ text: "ab", streaming: true });
    advance(100);
    expect(textOf(feed)).toContain('"a"');
    advance(20);
    expect(textOf(feed)).toContain('"ab"');
  });

  it("parses a burst in slices", () => {
    const text = "paragraph of a burst\n\n".repeat(1000);
    const { clock, advance, pending } = scriptedClock(4);
    const feed = createMarkdownFeed(clock);
    feed.subscribe(() => undefined);
    feed.write({ text, streaming: false });
    const first = feed.snapshot().blocks.flat().length;
    expect(first).toBeLessThan(1000);
    let slices = 0;
    while (pending() > 0) {
      advance(100);
      slices += 1;
    }
    expect(feed.snapshot().blocks.flat()).toHaveLength(1000);
    expect(slices).toBeGreaterThan(2);
  });

  it("does not compare the text if it is given the addition", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "one", streaming: true });
    advance(100);
    // If the text and the addition differ, the addition counts.
    feed.write({ text: "xxx two", streaming: true, appended: { from: 3, text: " two" } });
    expect(textOf(feed)).toContain('"one two"');
  });

  it("compares the text when the addition does not follow it", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "one", streaming: true });
    advance(100);
    feed.write({ text: "one two three", streaming: true, appended: { from: 7, text: " three" } });
    expect(textOf(feed)).toContain('"one two three"');
    advance(100);
    feed.write({ text: "one two three", streaming: true, appended: { from: 7, text: " three" } });
    expect(textOf(feed)).toContain('"one two three"');
  });

  it("starts again with a text that does not begin with the previous one, and after its end", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "one", streaming: true });
    feed.write({ text: "two", streaming: true });
    expect(textOf(feed)).toContain('"two"');
    feed.write({ text: "two", streaming: false });
    advance(100);
    feed.write({ text: "two and more", streaming: true });
    expect(textOf(feed)).toContain('"two and more"');
  });

  it.each([true, false])(
    "reads the formulas of earlier and later text from the moment it can: streaming %s",
    (streaming) => {
      const { clock, advance } = scriptedClock();
      const feed = createMarkdownFeed(clock);
      let changes = 0;
      feed.subscribe(() => (changes += 1));
      feed.write({ text: "$a^2$", streaming });
      expect(textOf(feed)).not.toContain('"math"');
      feed.readMath(createMathSyntax(isFormula));
      expect(textOf(feed).match(/"math"/g)).toHaveLength(1);
      expect(changes).toBe(2);
      advance(100);
      feed.write({ text: "$a^2$ and $b^2$", streaming });
      expect(textOf(feed).match(/"math"/g)).toHaveLength(2);
    },
  );

  it("does not parse a text again that has not changed", () => {
    const { clock, advance } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    feed.write({ text: "one", streaming: true });
    const snapshot = feed.snapshot();
    advance(100);
    feed.write({ text: "one", streaming: true });
    expect(feed.snapshot()).toBe(snapshot);
  });

  it("has no timer without a listener", () => {
    const { clock, pending } = scriptedClock();
    const feed = createMarkdownFeed(clock);
    const stop = feed.subscribe(() => undefined);
    feed.write({ text: "a", streaming: true });
    feed.write({ text: "ab", streaming: true });
    expect(pending()).toBe(1);
    stop();
    expect(pending()).toBe(0);
  });
});
