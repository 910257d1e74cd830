import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Snippet } from "../docs-code.ts";

/** Inside of the repository, where the packages are found. */
const folder = join(import.meta.dirname, "test-results");

/** What stands around a block of code on the reader's side. */
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
  // A block shows a name without using it.
  noUnusedLocals: false,
  noUnusedParameters: false,
  // Few readers have these, which this repository has.
  noPropertyAccessFromIndexSignature: false,
  erasableSyntaxOnly: false,
  noUncheckedSideEffectImports: false,
  lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  jsx: "react-jsx",
};

/**
 * Checks blocks of code against the types of the packages, in one program of the compiler.
 *
 * @returns what the compiler says, with the lines of the documents
 */
export async function typeErrorsIn(snippets: readonly TypedSnippet[]): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [index, { snippet, before = "", after = "" }] of snippets.entries())
    writeFileSync(join(folder, fileName(index, snippet)), `${before}\n${snippet.code}${after}\nexport {};\n`);
  const config = { extends: "../../../tsconfig.json", compilerOptions, include: ["*", "../host-page.d.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const complaints = await compile();
  rmSync(folder, { recursive: true });
  return complaints.map((complaint) => withPlace(complaint, snippets)).filter((complaint) => complaint !== "");
}

function fileName(index: number, { language }: Snippet): string {
  return `${index}.${language.endsWith("x") ? "tsx" : "ts"}`;
}

function compile(): Promise<readonly string[]> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, "--pretty", "false", "-p", folder], (_, output) =>
      resolve(output.split("\n").filter((line) => /error TS/.test(line))),
    );
  });
}

/** Names the document and its line in place of the file that was checked; empty for what JavaScript allows. */
function withPlace(complaint: string, snippets: readonly TypedSnippet[]): string {
  const [, index, line, text = ""] = /(?:^|[/\\])(\d+)\.tsx?\((\d+),\d+\): (.*)$/.exec(complaint) ?? [];
  const typed = snippets[Number(index)];
  if (typed === undefined) return complaint;
  const { snippet, before = "" } = typed;
  if (snippet.language.startsWith("js") && implicitAny.test(text)) return "";
  return `${snippet.document}:${snippet.line + Number(line) - 1 - before.split("\n").length}: ${text}`;
}
