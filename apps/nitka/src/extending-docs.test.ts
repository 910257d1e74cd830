import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readConfigFile } from "./config-file.ts";

it("Context, tools, approval and views each begin with at most twelve lines of code", () => {
  const text = readFileSync(new URL("../../../docs/extending.md", import.meta.url), "utf8");
  for (const section of ["Context", "Tools", "Approval", "Own views"]) {
    const [, body = ""] = text.split(`\n## ${section}\n`);
    const [, code = ""] = /^```[jt]s\n(.*?)^```$/ms.exec(body) ?? [];
    const lines = code.trimEnd().split("\n").length;
    expect([section, code !== "" && lines <= 12]).toEqual([section, true]);
  }
});

it("The settings that the documentation of extensions shows are accepted", () => {
  const text = readFileSync(new URL("../../../docs/extending.md", import.meta.url), "utf8");
  const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, json = ""]) => json);
  const projects = blocks.filter((block) => block.includes('"projects"'));
  expect(projects.length).toBeGreaterThan(0);
  const folder = mkdtempSync(join(tmpdir(), "nitka-docs-"));
  for (const [index, block] of projects.entries()) {
    const path = join(folder, `${index}.json`);
    writeFileSync(path, block);
    expect(Object.keys(readConfigFile(path))).toEqual(["shop"]);
  }
  rmSync(folder, { recursive: true });
});
