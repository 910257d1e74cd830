import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

/** A code block in a document. */
export interface Snippet {
  /** The path from the repository's root. */
  readonly document: string;
  /** The line number of its first line of code. */
  readonly line: number;
  /** The heading above it, without its signs. */
  readonly heading: string;
  /** The number of blocks before it under that heading. */
  readonly index: number;
  readonly language: string;
  readonly code: string;
}

/** All documents of the repository, including those that are not committed yet. */
export function documents(): readonly string[] {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "*.md"];
  const listed = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  return listed.filter((path) => path !== "" && existsSync(root + path));
}

/** The blocks of code in a document, in order. */
export function snippetsIn(document: string): readonly Snippet[] {
  const lines = readFileSync(root + document, "utf8").split("\n");
  const snippets: Snippet[] = [];
  let heading = "";
  let index = 0;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, title] = /^#+ (.+)$/.exec(line) ?? [];
    if (title !== undefined) [heading, index] = [title, 0];
    const [, indent = "", language] = /^( *)```(\w*)$/.exec(line) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at + 1);
    const code = lines.slice(at + 1, end).map((each) => `${each.slice(indent.length)}\n`);
    snippets.push({ document, line: at + 2, heading, index, language, code: code.join("") });
    at = end;
    index += 1;
  }
  return snippets;
}

/** All blocks of code in all documents. */
export function allSnippets(): readonly Snippet[] {
  return documents().flatMap(snippetsIn);
}

/**
 * The code blocks in a section of a document, up to the next heading. Blocks without a language are left out.
 *
 * @param document its name in `docs`
 * @param heading without its signs
 */
export function codeIn(document: string, heading: string): readonly string[] {
  return snippetsIn(`docs/${document}`)
    .filter((snippet) => snippet.heading === heading && snippet.language !== "")
    .map(({ code }) => code);
}
