/**
 * Texts that a parser of markdown, or code built on one, may read in quadratic time: markers that are opened and never closed,
 * and runs of one character. Models in a loop write such texts. Each entry is a unit that is repeated.
 */
const units: Readonly<Record<string, string>> = {
  backticks: "`",
  tildes: "~",
  "formulas, opened": "\\(",
  "formulas in brackets, opened": "\\[",
  "dollars and backslashes": "$a\\",
  "double dollars": "$$x ",
  "links, opened": "[a](",
  brackets: "[",
  "emphasis, opened": "*a **b _c ",
  "emphasis, crossing": "*a_ ",
  quotes: "> ",
  lists: "- ",
  pipes: "|\n",
  lines: "a\n",
  "definitions, half": '[a]: u "t\n',
  "comments, opened": "<!-- ",
  "tags, opened": "<sub>",
  footnotes: "[^a] ",
  "points behind an address": ".",
  addresses: "https://a.b/c_",
  mail: "a+",
  "comments, opened in a line": "~~<!--",
  "brackets and formulas": "[\\(",
  "line endings": "\n",
  "backticks, brackets and escapes": "``_[a]: b\n\\<",
  "items in quotes": "> 1. - abcdef\n",
  "footnotes in brackets": "[^>[^a]: b ",
  definitions: "[a]: b\n",
  "footnotes' definitions": "[^a]: b\n",
  "items, each with another": "*_- [ ] \n1. -",
  "items, each with two others": "*_- [ ] \n1. - ",
  "footnotes in brackets, in a line": "[^>[^a]: b…",
  "formulas with blank lines": "\\[\n\n",
  "paragraphs of a character": "a\n\n",
  "items of a character": "- a\n",
  "quotes of a character": "> a\n\n",
  "links with half a title": "[a](b (",
  formulas: "$a$ ",
  entities: "&amp;",
  "footnotes in lazy lines": " [^a]: b\n<a ^",
  "footnotes in a quote": "> [^a]: b\n",
  "tasks and lazy lines": "- [ ] ^2$\n,~~~",
  pictures: "![",
  emoji: "😀",
  Chinese: "汉字",
};

export const hostileNames = Object.keys(units);

/** The text before the repeated unit, if the unit alone means nothing. */
const beginnings: Readonly<Record<string, string>> = { "points behind an address": "https://a.b/" };

export function hostileText(name: string, length: number): string {
  const unit = units[name] ?? name;
  return (beginnings[name] ?? "") + unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}
