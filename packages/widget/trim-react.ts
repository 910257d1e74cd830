/**
 * React contains features that no bundler can remove and that this widget never uses: a third of what a visitor's browser would
 * load. The build of the widget empties the bodies of these features' functions, and the minifier removes the code that only
 * they called. docs/decisions/0011 has the reasons, and what to do for another version of React.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import type { ESTree, Plugin } from "vite";
import { parseAst } from "vite";
import type { Edit } from "./apply-edits.ts";
import { applyEdits } from "./apply-edits.ts";
import type { Unused } from "./dead-branches.ts";
import { deadBranches } from "./dead-branches.ts";
import type { Feature } from "./react-features.ts";
import {
  FEATURES,
  IN_REACT,
  IN_REACT_DOM,
  IN_SCHEDULER,
  NEVER,
  RETURN_VALUES,
  SCHEDULER_RETURN_VALUES,
} from "./react-features.ts";

interface TrimmedFile {
  /** The sha256 of the file for which the names were chosen. */
  readonly hash: string;
  readonly features: Readonly<Record<string, Feature>>;
  /** JavaScript expressions: the return values of functions of unused features that React calls nevertheless. */
  readonly returnValues?: Readonly<Record<string, string>>;
  /** What never occurs in functions that stay. */
  readonly never?: Unused;
}

/** The files that are trimmed, by name. */
export const TRIMMED: Readonly<Record<string, TrimmedFile>> = {
  "react.production.js": {
    hash: "0b5529981841afa1b58c76ba85c29bb681ff5f07cd8cde6a10b967d3915b8e1c",
    features: IN_REACT,
  },
  "react-dom.production.js": {
    hash: "7a05d7f7bb2b02aae84018a88d4815a2181eef48d2cb8172d403eaa2b131eefd",
    features: IN_REACT_DOM,
  },
  "react-dom-client.production.js": {
    hash: "a319b413b7a19ee34422d9a12a8e7afd003c07846716d278ba1a0898e8cb6251",
    features: FEATURES,
    returnValues: RETURN_VALUES,
    never: NEVER,
  },
  "scheduler.production.js": {
    hash: "679adff761d31e9426604f80c0e99be44a3e6f4c6834b0218ecf0312a67c171f",
    features: IN_SCHEDULER,
    returnValues: SCHEDULER_RETURN_VALUES,
  },
};

/**
 * Empties the functions of React's packages that the widget does not use.
 *
 * @param loud whether a feature's inner functions throw instead of doing nothing, for the build for the tests
 */
export function trimReact({ loud }: { readonly loud: boolean }): Plugin {
  return {
    name: "trim-react",
    transform: {
      filter: { id: /\/(react|react-dom|react-dom-client|scheduler)\.production\.js$/ },
      handler(code, id) {
        const name = basename(id);
        const file = TRIMMED[name];
        if (!file) throw new Error(`trim-react.ts has no entry for the file ${name}.`);
        const hash = createHash("sha256").update(code).digest("hex");
        if (hash !== file.hash) {
          throw new Error(
            `${name} is not the file that trim-react.ts was written for, so what it takes out may be in use: follow ` +
              `docs/decisions/0011, then write down the new sha256, ${hash}.`,
          );
        }
        // All lines keep their numbers, so the source map stays valid.
        const bodies = replacedBodies(code, bodiesOf(file, loud));
        const branches = file.never ? deadBranches(code, file.never, bodies, loud) : [];
        return { code: applyEdits(code, bodies, branches), map: null };
      },
    },
  };
}

/** The functions of a file that are emptied or throw. */
export function trimmedNames({ features }: TrimmedFile): readonly string[] {
  return Object.values(features).flatMap(({ entries, inner }) => namesIn(`${entries} ${inner}`));
}

/** The new bodies of a file's functions, by function name. */
function bodiesOf({ features, returnValues = {} }: TrimmedFile, loud: boolean): ReadonlyMap<string, string> {
  const bodies = new Map<string, string>();
  for (const [feature, { entries, inner }] of Object.entries(features)) {
    // The message is short, because it is repeated often and every visitor loads it.
    for (const name of namesIn(entries)) bodies.set(name, `throw Error("trim-react.ts: ${feature}");`);
    for (const name of namesIn(inner)) bodies.set(name, loud ? `throw Error("trim-react.ts: inner ${name}");` : "");
  }
  for (const [name, value] of Object.entries(returnValues)) bodies.set(name, `return ${value};`);
  return bodies;
}

function namesIn(list: string): readonly string[] {
  return list.split(/\s+/).filter((name) => name !== "");
}

/** @param bodies the functions to change, by name, with their new code */
function replacedBodies(code: string, bodies: ReadonlyMap<string, string>): readonly Edit[] {
  const missing = new Set(bodies.keys());
  const edits = topLevelFunctions(code).flatMap(({ name, start, end }) => {
    const body = bodies.get(name);
    missing.delete(name);
    return body === undefined ? [] : { start, end, text: `{${body}}` };
  });
  if (missing.size > 0) throw new Error(`React has no function ${[...missing].join(", ")}: see react-features.ts.`);
  return edits;
}

/** A function at the top level of a file: `function name() {}` or `a.b = function () {}`. */
interface TopLevelFunction {
  readonly name: string;
  /** The offsets of its body in the code, including the braces. */
  readonly start: number;
  readonly end: number;
  /** The identifiers in its body. */
  readonly mentions: ReadonlySet<string>;
}

/** The top-level functions of a CommonJS file. */
export function topLevelFunctions(code: string): readonly TopLevelFunction[] {
  const { body } = parseAst(code, { lang: "js", sourceType: "commonjs" });
  return body.flatMap((statement) => {
    if (statement.type === "FunctionDeclaration") return functionOf(statement.id?.name, statement);
    if (statement.type !== "ExpressionStatement") return [];
    const { expression } = statement;
    const parts = expression.type === "SequenceExpression" ? expression.expressions : [expression];
    return parts.flatMap((part) =>
      part.type === "AssignmentExpression" && part.right.type === "FunctionExpression"
        ? functionOf(code.slice(part.left.start, part.left.end), part.right)
        : [],
    );
  });
}

function functionOf(name: string | undefined, { body }: ESTree.Function): readonly TopLevelFunction[] {
  if (name === undefined || !body) return [];
  return [{ name, start: body.start, end: body.end, mentions: new Set(identifiersIn(body)) }];
}

function* identifiersIn(node: unknown): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && node.type === "Identifier" && "name" in node) yield String(node.name);
  for (const child of Object.values(node)) yield* identifiersIn(child);
}
