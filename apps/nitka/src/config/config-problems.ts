/** Describes the problems of the config file in sentences. */
import type { z } from "zod";
import { nearestName } from "./nearest-name.ts";

type Issue = z.core.$ZodIssue;

export interface CheckedFile {
  /** The file as it was written, without the values of variables, which may be secret. */
  readonly written: unknown;
  /** The path of each field that the file may have. `*` is any index of a list, and any name that the file chooses. */
  readonly fields: readonly FieldPath[];
}

type FieldPath = readonly string[];

/** One sentence per problem: the field, its value, and the expected value. */
export function sentences(issue: Issue, checked: CheckedFile): string[] {
  const { written, fields } = checked;
  const where = issue.path.join(".") || "the file";
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map(
        (key) =>
          `${[...issue.path, key].join(".")} is an unknown field${suggestion(key, issue.path.map(String), fields)}`,
      );
    case "invalid_key":
      return [`${where} is not a valid name: expected ${issue.issues.map(expectation).join(", ")}.`];
    case "invalid_union": {
      // A form that is wrong only inside of the value is the form that was meant.
      const inside = issue.errors.find((form) => form.length > 0 && form.every(({ path }) => path.length > 0));
      if (inside) return inside.flatMap((each) => sentences({ ...each, path: [...issue.path, ...each.path] }, checked));
      return [
        `${where} is ${shown(issue, written)}: expected ${[...new Set(issue.errors.flat().map(expectation))].join(" or ") || issue.message}.`,
      ];
    }
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
  const value = issue.path.reduce<unknown>((held, key) => (held as Record<PropertyKey, unknown>)[key], written);
  if (value === undefined) return "missing";
  const json = JSON.stringify(value);
  return json.length > 80 ? `${json.slice(0, 80)}…` : json;
}

/**
 * The field that was probably meant, as the end of a sentence: one of the same object that differs by a typo, otherwise
 * the field of this name in another object.
 */
function suggestion(key: string, at: FieldPath, fields: readonly FieldPath[]): string {
  if (["apiBase", "visitor", "features"].includes(key)) return ": the server sets it itself.";
  const beside = fields.filter((field) => field.length === at.length + 1 && sharedLength(field, at) === at.length);
  const near = nearestName(
    key,
    beside.map((field) => field.at(-1) ?? ""),
  );
  if (near !== undefined) return `: did you mean ${near}?`;
  const [elsewhere] = fields
    .filter((field) => field.at(-1) === key)
    .toSorted((one, other) => sharedLength(other, at) - sharedLength(one, at));
  if (!elsewhere) return ".";
  const shared = sharedLength(elsewhere, at);
  const path = [...at.slice(0, shared), ...elsewhere.slice(shared)].map((name) => (name === "*" ? "<name>" : name));
  return `: did you mean ${path.join(".")}?`;
}

/** The number of names with which two paths begin alike. */
function sharedLength(field: FieldPath, at: FieldPath): number {
  const end = field.findIndex((name, n) => n >= at.length || (name !== "*" && name !== at[n]));
  return end < 0 ? field.length : end;
}
