/**
 * Searches for texts that the parser reads slowly: random units of markdown's markers, repeated. What it finds belongs into
 * hostile-texts.ts.
 */
import { answerOf, randomNumbers } from "./answer-text.ts";
import { parsingMs } from "./measure-parsing.ts";

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
  /** How many times as long as prose of the same length. */
  readonly times: number;
}

/** The slowest units, slowest first. */
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
