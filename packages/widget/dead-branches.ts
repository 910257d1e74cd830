/**
 * Finds dead code inside functions that run: cases of a `switch`, comparisons, and code that depends on variables that never
 * change.
 */
import type { ESTree } from "vite";
import { parseAst } from "vite";
import type { Edit } from "./apply-edits.ts";

/** What never occurs while a file runs. */
export interface Unused {
  /**
   * Values that never reach a `switch`, separated by white space: by the name of the function that contains it, or, with a
   * leading dot, by the property that it tests. Comparisons of that property with these values are removed too.
   */
  readonly cases: Readonly<Record<string, string>>;
  /** Variables of the file that never change, with their value. */
  readonly constants: Readonly<Record<string, string>>;
  /** Variables of the file that get another value, an expression. */
  readonly values: Readonly<Record<string, string>>;
  /** Properties of object literals that are never read, separated by white space. */
  readonly properties: string;
  /** The first arguments of unneeded calls at the top level, separated by white space. */
  readonly calls: string;
}

type AnyNode = { readonly type: string; readonly start: number; readonly end: number } & Readonly<
  Record<string, unknown>
>;

/**
 * @param replaced the edits that are made already, whose code is not searched
 * @param loud whether removed code throws if it is needed after all
 */
export function deadBranches(code: string, unused: Unused, replaced: readonly Edit[], loud: boolean): readonly Edit[] {
  const removed = new Set(replaced.map(({ start }) => start));
  const edits: Edit[] = [];
  const found = new Set<string>();
  const properties = wordsOf(unused.properties);
  const calls = wordsOf(unused.calls);
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => code.slice(start, end);
  const find = (name: string) => found.add(name);

  /** The unused values of a `switch` or a comparison. */
  const valuesFor = (node: AnyNode, functions: readonly AnyNode[]): ReadonlySet<string> => {
    const keys = [propertyOf(node) ?? "", ...functions.map((each) => nameOf(each["id"]) ?? "")];
    const key = keys.find((each) => Object.hasOwn(unused.cases, each));
    if (key === undefined) return new Set();
    find(key);
    return new Set(wordsOf(unused.cases[key] ?? ""));
  };

  const visitSwitch = (node: AnyNode, functions: readonly AnyNode[]) => {
    const discriminant = node["discriminant"] as AnyNode;
    const values = valuesFor(discriminant, functions);
    if (values.size === 0) return;
    const cases = node["cases"] as readonly ESTree.SwitchCase[];
    const isCut = ({ test }: ESTree.SwitchCase) =>
      (test?.type === "Literal" && values.has(String(test.value))) ||
      (test?.type === "Identifier" && values.has(test.name));
    /** Whether the code of the previous case falls through into this one. */
    let runsOn = false;
    let label = 0;
    for (let index = 0; index < cases.length; index += 1) {
      const body = cases[index]?.consequent ?? [];
      if (body.length === 0 && index < cases.length - 1) continue;
      const group = cases.slice(label, index + 1);
      label = index + 1;
      const kept = group.filter((each) => !isCut(each));
      const last = group.at(-1);
      const first = group[0];
      if (!first || !last) continue;
      const bodyStart = body[0]?.start ?? last.end;
      if (kept.length === 0 && !runsOn) {
        edits.push({ start: first.start, end: last.end, text: "" });
        hoist(body, functions[0]);
        continue;
      }
      if (kept.length < group.length) {
        const labels = kept.map(({ test }) => (test ? `case ${textOf(test)}:` : "default:"));
        edits.push({ start: first.start, end: bodyStart, text: labels.join(" ") });
      }
      runsOn = !endsThere(body);
    }
    if (loud) {
      const list = JSON.stringify([...values]);
      edits.push(
        insert(
          discriminant.start,
          `(value => { if (${list}.includes(String(value))) throw Error("trim-react.ts: case " + value); return value; })(`,
        ),
        insert(discriminant.end, ")"),
      );
    }
  };

  /** Declares the variables of removed code, because other code of the function uses them. */
  const hoist = (body: readonly unknown[], around: AnyNode | undefined) => {
    const names = [...new Set(body.flatMap((each) => [...declaredIn(each)]))];
    const block = around?.["body"] as AnyNode | undefined;
    if (names.length > 0 && block) edits.push(insert(block.start + 1, `var ${names.join(", ")};`));
  };

  const visitComparison = (node: AnyNode) => {
    const { operator } = node;
    if (operator !== "===" && operator !== "!==") return;
    const sides = [node["left"], node["right"]] as readonly AnyNode[];
    const literal = sides.find((side) => side.type === "Literal");
    const other = sides.find((side) => side !== literal);
    if (!literal || !other || propertyOf(other) === undefined) return;
    if (!valuesFor(other, []).has(String(literal["value"]))) return;
    edits.push({ start: node.start, end: node.end, text: String(operator === "!==") });
  };

  const isConstant = (name: string | undefined, functions: readonly AnyNode[]): name is string =>
    name !== undefined && Object.hasOwn(unused.constants, name) && !functions.some((each) => declares(each, name));

  const visitAssignment = (node: AnyNode, functions: readonly AnyNode[]) => {
    const name = nameOf(node["left"]);
    if (!isConstant(name, functions)) return;
    const right = node["right"] as AnyNode;
    if (node["operator"] !== "=") throw new Error(`${name} changes by ${textOf(node)}.`);
    const check = `(value => { if (value !== ${unused.constants[name]}) throw Error("trim-react.ts: ${name} changes"); return value; })(`;
    edits.push({ start: node.start, end: right.start, text: loud ? check : "(" }, insert(right.end, ")"));
  };

  const visitVariable = (node: AnyNode, functions: readonly AnyNode[]) => {
    const name = nameOf(node["id"]) ?? "";
    const init = node["init"] as AnyNode | null;
    if (functions.length > 0 || !init || !Object.hasOwn(unused.values, name)) return;
    find(name);
    edits.push({ start: init.start, end: init.end, text: unused.values[name] ?? "" });
  };

  /** @param functions the functions around the node, the innermost first */
  const visit = (node: unknown, functions: readonly AnyNode[], parent: AnyNode | undefined, place: string): void => {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, functions, parent, place);
      return;
    }
    if (!isNode(node) || (node.type === "BlockStatement" && removed.has(node.start))) return;
    let inner = functions;
    switch (node.type) {
      case "SwitchStatement":
        visitSwitch(node, functions);
        break;
      case "BinaryExpression":
        visitComparison(node);
        break;
      case "AssignmentExpression":
        visitAssignment(node, functions);
        if (isConstant(nameOf(node["left"]), functions)) return visit(node["right"], functions, node, "right");
        break;
      case "VariableDeclarator":
        visitVariable(node, functions);
        break;
      case "Property":
        if (properties.includes(nameOf(node["key"]) ?? ""))
          edits.push({ start: node.start, end: code[node.end] === "," ? node.end + 1 : node.end, text: "" });
        break;
      case "ExpressionStatement":
        if (functions.length === 0 && calls.includes(firstArgument(node["expression"]))) {
          find(firstArgument(node["expression"]));
          edits.push({ start: node.start, end: node.end, text: ";" });
        }
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
        inner = [node, ...functions];
        break;
      case "Identifier": {
        const name = nameOf(node);
        const isName =
          /^(id|params|label)$/.test(place) ||
          (place === "key" && !parent?.["computed"]) ||
          (place === "property" && !parent?.["computed"]);
        if (isName || !isConstant(name, functions)) break;
        if (parent?.type === "UpdateExpression") throw new Error(`${name} changes by ${textOf(parent)}.`);
        find(name);
        edits.push({ start: node.start, end: node.end, text: unused.constants[name] ?? "" });
        break;
      }
    }
    for (const [key, child] of Object.entries(node)) if (typeof child === "object") visit(child, inner, node, key);
  };
  visit(parseAst(code, { lang: "js", sourceType: "commonjs" }), [], undefined, "");
  const all = [unused.cases, unused.constants, unused.values].flatMap(Object.keys).concat(calls);
  const missing = all.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`React has no ${missing.join(", ")} any more: see react-features.ts.`);
  return edits;
}

function wordsOf(list: string): readonly string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value;
}

function insert(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? String(node["name"]) : undefined;
}

/** @example propertyOf(parsed("fiber.tag")) // ".tag" */
function propertyOf(node: AnyNode): string | undefined {
  if (node.type !== "MemberExpression" || node["computed"] === true) return undefined;
  return `.${nameOf(node["property"]) ?? ""}`;
}

function firstArgument(node: unknown): string {
  if (!isNode(node) || node.type !== "CallExpression") return "";
  const [argument] = node["arguments"] as readonly AnyNode[];
  const value = argument?.["value"];
  return typeof value === "string" ? value : (nameOf(argument) ?? "");
}

/** Whether control never passes the end of these statements. */
function endsThere(statements: readonly ESTree.Statement[]): boolean {
  const last = statements.at(-1);
  if (last?.type === "BlockStatement") return endsThere(last.body);
  return last !== undefined && /^(?:Break|Return|Throw|Continue)Statement$/.test(last.type);
}

/** Whether a function has a parameter or a variable of this name. */
function declares(node: AnyNode, name: string): boolean {
  const parameters = node["params"] as readonly AnyNode[];
  return parameters.some((each) => nameOf(each) === name) || [...declaredIn(node["body"])].includes(name);
}

/** The variables that a piece of code declares, except those of functions inside it. */
function* declaredIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const each of node) yield* declaredIn(each);
    return;
  }
  if (!isNode(node) || node.type.startsWith("Function")) return;
  if (node.type === "VariableDeclarator") yield nameOf(node["id"]) ?? "";
  for (const child of Object.values(node)) yield* declaredIn(child);
}
