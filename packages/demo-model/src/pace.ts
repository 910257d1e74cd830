import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { Beat } from "./beat.ts";

/** A stream part and its due time, in milliseconds from the start of the answer. */
export interface TimedPart {
  readonly at: number;
  readonly part: LanguageModelV4StreamPart;
}

/** Characters per second: the pace of a fast reader for text, and more for reasoning, which few people read fully. */
const SPEED = { think: 300, say: 190 } as const;

/** Milliseconds before the first word, like the latency of a real model. */
const BEFORE_FIRST = 350;
const BETWEEN_BEATS = 180;
const AFTER_SENTENCE = 90;

/** The parts of one step, word by word. */
export function timedParts(beats: readonly Beat[], newId: () => string): readonly TimedPart[] {
  const parts: TimedPart[] = [];
  let at = BEFORE_FIRST;
  const add = (...added: readonly LanguageModelV4StreamPart[]) => {
    for (const part of added) parts.push({ at, part });
  };
  for (const beat of beats) {
    const id = newId();
    switch (beat.type) {
      case "think":
      case "say": {
        const kind = beat.type === "think" ? "reasoning" : "text";
        add({ type: `${kind}-start`, id });
        for (const word of wordsOf(beat.text)) {
          add({ type: `${kind}-delta`, id, delta: word });
          at += (word.length / SPEED[beat.type]) * 1_000 + (/[.!?…]\s+$/.test(word) ? AFTER_SENTENCE : 0);
        }
        add({ type: `${kind}-end`, id });
        break;
      }
      case "cite":
        add({ type: "source", sourceType: "url", id, url: beat.url, title: beat.title });
        break;
      case "show":
        add({ type: "file", mediaType: beat.mediaType, data: { type: "data", data: beat.data } });
        break;
      case "call": {
        const input = JSON.stringify(beat.input);
        add({ type: "tool-input-start", id, toolName: beat.toolName });
        for (const piece of input.match(/.{1,12}/gsu) ?? []) {
          add({ type: "tool-input-delta", id, delta: piece });
          at += 40;
        }
        add({ type: "tool-input-end", id }, { type: "tool-call", toolCallId: id, toolName: beat.toolName, input });
        break;
      }
      case "fail":
        add({ type: "error", error: beat.error });
    }
    at += BETWEEN_BEATS;
  }
  return parts;
}

/**
 * Splits a text into words with the whitespace after them.
 *
 * @example wordsOf("Hello, world") // ["Hello, ", "world"]
 */
function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
