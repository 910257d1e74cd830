import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCompiler } from "../../scripts/run-compiler.mjs";
import type { Snippet } from "../docs-code.ts";

/** The folder is inside the repository, so that the packages are found. */
const folder = join(import.meta.dirname, "test-results");

/** A type file of the widget's sources, which import stylesheets as texts. */
const cssText = "../../../packages/widget/src/package/css-text.d.ts";

/** The code around a block on the reader's side. */
export interface Surroundings {
  readonly before?: string;
  readonly after?: string;
}

/** A block of TypeScript or JavaScript with its surroundings. */
export interface TypedSnippet extends Surroundings {
  readonly snippet: Snippet;
}

/** A parameter without a type, which JavaScript allows. */
const implicitAny = /^error TS(7006|7031):/;

const compilerOptions = {
  // A block may show a name without using it.
  noUnusedLocals: false,
  noUnusedParameters: false,
  // Few readers have these options, which this repository has.
  noPropertyAccessFromIndexSignature: false,
  erasableSyntaxOnly: false,
  noUncheckedSideEffectImports: false,
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  jsx: "react-jsx",
};

/**
 * Checks code blocks against the types of the packages, in one program of the compiler.
 *
 * @returns the compiler's messages, with the lines of the documents
 */
export async function typeErrorsIn(snippets: readonly TypedSnippet[]): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { snippet, before = "", after = "" }] of snippets.entries())
    writeFileSync(join(folder, fileName(index, snippet)), `${before}\n${snippet.code}${after}\nexport {};\n`);
  const config = { extends: "../../../tsconfig.json", compilerOptions, include: ["*", "../host-page.d.ts", cssText] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const complaints = await compile();
  rmSync(folder, { recursive: true });
  return complaints.map((complaint) => withPlace(complaint, snippets)).filter((complaint) => complaint !== "");
}

function fileName(index: number, { language }: Snippet): string {
  return `${index}.${language.endsWith("x") ? "tsx" : "ts"}`;
}

async function compile(): Promise<readonly string[]> {
  const { output } = await runCompiler(["-p", folder]);
  return output.split("\n").filter((line) => /error TS/.test(line));
}

/** Replaces the checked file by the document and its line; returns nothing for errors that JavaScript allows. */
function withPlace(complaint: string, snippets: readonly TypedSnippet[]): string {
  const [, index, line, text = ""] = /(?:^|[/\\])(\d+)\.tsx?\((\d+),\d+\): (.*)$/.exec(complaint) ?? [];
  const typed = snippets[Number(index)];
  if (typed === undefined) return complaint;
  const { snippet, before = "" } = typed;
  if (snippet.language.startsWith("js") && implicitAny.test(text)) return "";
  return `${snippet.document}:${snippet.line + Number(line) - 1 - before.split("\n").length}: ${text}`;
}
