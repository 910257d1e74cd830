import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { sentences } from "./config-problems.ts";
import { withFolders } from "./knowledge-fields.ts";
import { provider } from "./model-fields.ts";
import type { ProviderFields } from "./model-fields.ts";
import { checkedProject } from "./project-fields.ts";
import type { ProjectFields } from "./project-fields.ts";
import { SettingsError } from "./settings-error.ts";

const file = z.strictObject({
  providers: z
    .record(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{1,32}$/, "up to 32 letters, digits, _ and -")
        .refine((name) => name !== "demo", "another name than demo, which is the built-in model"),
      provider,
    )
    .exactOptional(),
  projects: z
    .record(z.string().regex(/^[\w.-]{1,64}$/, "up to 64 letters, digits, dots, _ and -"), checkedProject)
    .refine((projects) => Object.keys(projects).length > 0, "at least one project"),
});

export interface ConfigFile {
  readonly projects: Readonly<Record<string, ProjectFields>>;
  readonly providers: Readonly<Record<string, ProviderFields>>;
}

/**
 * Reads the file in NITKA_CONFIG. `${NAME}` in a string is replaced by the value of that environment variable, and
 * `$${` stands for a literal `${`.
 *
 * @throws {SettingsError} with a sentence for every invalid and every unknown field
 */
export function readConfigFile(path: string, env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const written = readJson(path);
  const problems: string[] = [];
  const parsed = file.safeParse(withVariables(written, env, problems), { reportInput: true });
  if (!parsed.success) {
    const fields = [...fieldPaths(z.toJSONSchema(file, { io: "input", unrepresentable: "any" }))];
    problems.push(...parsed.error.issues.flatMap((issue) => sentences(issue, { written, fields })));
  }
  const projects = Object.entries(parsed.data?.projects ?? {}).map(([id, { instructionsFile, ...named }]) => {
    const known = named.knowledge;
    const fields = known ? { ...named, knowledge: withFolders(known, dirname(path)) } : named;
    if (instructionsFile === undefined) return [id, fields] as const;
    const instructions = readInstructions(resolve(dirname(path), instructionsFile));
    if (instructions !== undefined) return [id, { ...fields, instructions }] as const;
    problems.push(
      `projects.${id}.instructionsFile is ${JSON.stringify(instructionsFile)}: expected a file with text, relative to this one.`,
    );
    return [id, fields] as const;
  });
  if (problems.length > 0) throw new SettingsError(problems.map((each) => `NITKA_CONFIG (${path}): ${each}`));
  return { projects: Object.fromEntries(projects), providers: parsed.data?.providers ?? {} };
}

/** The text of a file; `undefined` when the file is missing or empty. */
function readInstructions(path: string): string | undefined {
  try {
    return (
      readFileSync(path, "utf8")
        .replace(/^\uFEFF/, "")
        .trim() || undefined
    );
  } catch {
    return undefined;
  }
}

function readJson(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingsError([
      `NITKA_CONFIG is ${JSON.stringify(path)}: expected a JSON file that can be read (${(error as NodeJS.ErrnoException).code ?? "unreadable"}).`,
    ]);
  }
  try {
    // Some editors write a byte order mark before the first character.
    return JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new SettingsError([`NITKA_CONFIG (${path}) is not JSON: ${(error as Error).message}.`]);
  }
}

/** A schema of the file or of a part of it, in the form of JSON Schema. */
interface Described {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly additionalProperties?: unknown;
  readonly items?: unknown;
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
}

/** The path of each field that this schema allows, with `*` for any name and any index. */
function* fieldPaths(schema: unknown, at: readonly string[] = []): Generator<readonly string[]> {
  if (typeof schema !== "object" || schema === null) return;
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] }: Described = schema;
  for (const [name, field] of Object.entries(properties)) {
    yield [...at, name];
    yield* fieldPaths(field, [...at, name]);
  }
  for (const each of [additionalProperties, items]) yield* fieldPaths(each, [...at, "*"]);
  for (const each of [...anyOf, ...oneOf]) yield* fieldPaths(each, at);
}

/**
 * A copy of a JSON value in which each `${NAME}` in a string is replaced by the value of that variable. `$${` stands
 * for a literal `${`.
 *
 * @param problems gets a sentence for each variable that is not set
 */
function withVariables(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
  path: readonly string[] = [],
): unknown {
  if (typeof value === "string") {
    return value.replace(/\$?\$\{(?:([A-Za-z_]\w*)\})?/g, (found, name: string | undefined) => {
      if (found.startsWith("$$")) return found.slice(1);
      const given = name === undefined ? undefined : env[name];
      if (given) return given;
      const expected =
        name === undefined
          ? "a variable's name and } after ${ (write $${ for a plain ${)"
          : `the environment variable ${name} to be set`;
      problems.push(`${path.join(".")} holds ${found}: expected ${expected}.`);
      return found;
    });
  }
  if (Array.isArray(value)) return value.map((each, n) => withVariables(each, env, problems, [...path, String(n)]));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withVariables(each, env, problems, [...path, key])]);
  // `fromEntries` also defines a field named `__proto__`.
  return Object.fromEntries(entries) as unknown;
}
