/** Describes the problems of the config file in sentences. */
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

export interface CheckedFile {
  /** The file as it was written, without the values of variables, which may be secret. */
  readonly written: unknown;
  readonly knownFields: readonly string[];
}

/** One sentence per problem: the field, its value, and the expected value. */
export function sentences(issue: Issue, { written, knownFields }: CheckedFile): string[] {
  const where = issue.path.join(".") || "the file";
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map(
        (key) => `${[...issue.path, key].join(".")} is an unknown field${suggestion(key, knownFields)}`,
      );
    case "invalid_key":
      return [`${where} is not a valid name: expected ${issue.issues.map(expectation).join(", ")}.`];
    case "invalid_union":
      return [
        `${where} is ${shown(issue, written)}: expected ${[...new Set(issue.errors.flat().map(expectation))].join(" or ") || issue.message}.`,
      ];
    default:
      return [`${where} is ${shown(issue, written)}: expected ${expectation(issue)}.`];
  }
}

function expectation(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "null") return "null";
      return issue.expected === "record"
        ? "an object"
        : `${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "too_small":
      return issue.origin === "string"
        ? `at least ${issue.minimum} characters`
        : `${issue.inclusive ? "at least" : "more than"} ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return issue.message;
  }
}

/** The value in the file: truncated when it is long, left out when it may be secret. */
function shown(issue: Issue, written: unknown): string {
  const field = issue.path.at(-1);
  const secret =
    ["secret", "apiKey", "baseUrl"].includes(String(field)) ||
    issue.path.some((at) => at === "mcpServers" || at === "headers");
  if (secret && typeof issue.input === "string" && field !== "type") return "invalid";
  if (issue.input === undefined) return "missing";
  const json = JSON.stringify(
    issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], written),
  );
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/** The known field that differs by one typo, as the end of a sentence. */
function suggestion(key: string, knownFields: readonly string[]): string {
  if (["apiBase", "visitor", "features"].includes(key)) return ": the server sets it itself.";
  const near = knownFields.find((field) => field.toLowerCase() === key.toLowerCase() || isTypo(field, key));
  return near ? `: did you mean ${near}?` : ".";
}

/**
 * Whether two words differ by one added, missing or changed letter, or by two swapped neighbours.
 *
 * @example isTypo("title", "tilte") // true
 */
function isTypo(word: string, typed: string): boolean {
  if (Math.abs(word.length - typed.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === typed[start]) start += 1;
  let end = 0;
  while (end < Math.min(word.length, typed.length) - start && word.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const [left, right] = [word.slice(start, word.length - end), typed.slice(start, typed.length - end)];
  return (
    Math.max(left.length, right.length) <= 1 || (left.length === 2 && left === `${right[1] ?? ""}${right[0] ?? ""}`)
  );
}
