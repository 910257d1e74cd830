import type { ESTree } from "vite";
import { parseAst } from "vite";

/** A function at the top level of a file: `function name() {}` or `a.b = function () {}`. */
export interface TopLevelFunction {
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
  return [{ name, start: body.start, end: body.end, mentions: new Set(namesIn(body)) }];
}

function* namesIn(node: unknown): Generator<string> {
  if (typeof node !== "object" || node === null) return;
  if ("type" in node && node.type === "Identifier" && "name" in node) yield String(node.name);
  for (const child of Object.values(node)) yield* namesIn(child);
}
