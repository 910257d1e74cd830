import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readConfigFile } from "./config/config-file.ts";

it("Context, tools, approval and views each begin with at most twelve lines of code", () => {
  const text = readFileSync(new URL("../../../docs/extending.md", import.meta.url), "utf8");
  for (const section of ["Context", "Tools", "Approval", "Own views"]) {
    const [, body = ""] = text.split(`\n## ${section}\n`);
    const [, code = ""] = /^```[jt]s\n(.*?)^```$/ms.exec(body) ?? [];
    const lines = code.trimEnd().split("\n").length;
    expect([section, code !== "" && lines <= 12]).toEqual([section, true]);
  }
});

it("The settings of projects in all documents are accepted", () => {
  const docs = fileURLToPath(new URL("../../../docs", import.meta.url));
  const documents = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const texts = documents.map((path) => readFileSync(join(docs, path), "utf8"));
  const blocks = texts.flatMap((text) => [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => json));
  const projects = blocks.filter((block) => block.includes('"projects"'));
  expect(projects.length).toBeGreaterThan(5);
  const hookSecret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  const folder = mkdtempSync(join(tmpdir(), "nitka-docs-"));
  for (const [index, block] of projects.entries()) {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, block);
    const { projects: named } = JSON.parse(block) as { readonly projects: object };
    const names = [...block.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
    const values = names.map((name) => [name, name === "HOOK_SECRET" ? hookSecret : "a-value-of-the-environment"]);
    const env = Object.fromEntries(values) as Record<string, string>;
    expect(Object.keys(readConfigFile(path, env).projects)).toEqual(Object.keys(named));
  }
  rmSync(folder, { recursive: true });
});
