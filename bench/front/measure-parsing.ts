/** The cost of reading a text: only the widget's parser, in Node, with a text that has arrived at once. */
import { createMarkdownDocument, maxPieceLength } from "@nitka/widget/markdown/markdown-document";
import { createMathSyntax } from "@nitka/widget/markdown/math/math-syntax";
import { isFormula } from "@nitka/widget/markdown/math/is-formula";
import { answerOf, randomNumbers } from "./answer-text.ts";

const math = createMathSyntax(isFormula);

/** The milliseconds of this thread, as the minimum of some rounds. */
export function parsingMs(text: string, rounds: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage();
    parse(text);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Parses in pieces like the view, with a snapshot of each. */
function parse(text: string): void {
  const document = createMarkdownDocument(math);
  for (let from = 0; from < text.length;) {
    const piece = text.slice(from, from + Math.max(maxPieceLength, document.openLength()));
    document.append(piece);
    document.snapshot();
    from += piece.length;
  }
  document.finish();
  document.snapshot();
}

const LENGTH = 20_000;

const tokens = [
  ..."* ** _ ~~ ` `` ``` [ ] ( ) ![ [^ ]: ](  \\ \\( \\) \\[ $ $$ | < > <!-- --> <sub> </sub> <a & &amp; # - + 1. : - ! = ~~~ ".split(
    " ",
  ),
  ..."a|б|汉|1|x y|https://|www.|@b.c|.|,|^|\n|\n\n|\n    |\n> |\n- |\n1. |\n| |\n|\t| |  \n|\\\n|\n|-|\n".split("|"),
  "| a | b |\n|-|-|\n",
  "[a]: b\n",
  "[^a]: b\n",
  "- [ ] ",
];

export interface SlowUnit {
  readonly unit: string;
  /** The time as a multiple of that for prose of the same length. */
  readonly times: number;
}

/**
 * Searches for texts that the parser reads slowly: random units of markdown's markers, repeated. Its results belong in
 * hostile-texts.ts.
 *
 * @returns the slowest units, slowest first
 */
export function slowestUnits(count: number, seed: number): readonly SlowUnit[] {
  const random = randomNumbers(seed);
  const prose = answerOf(LENGTH);
  parsingMs(prose, 5);
  const usual = parsingMs(prose, 5);
  const found: SlowUnit[] = [];
  for (let round = 0; round < count; round += 1) {
    const unit = Array.from(
      { length: 1 + random() * 5 },
      () => tokens[Math.floor(random() * tokens.length)] ?? "",
    ).join("");
    if (unit === "") continue;
    const text = unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH);
    found.push({ unit, times: parsingMs(text, 1) / usual });
  }
  return found.toSorted((one, other) => other.times - one.times);
}
