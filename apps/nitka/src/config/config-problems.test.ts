import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readConfigFile } from "./config-file.ts";
import { SettingsError } from "./settings-error.ts";

function problemsOf(content: unknown): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "nitka-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "nitka.json");
  writeFileSync(path, JSON.stringify(content));
  try {
    readConfigFile(path, {});
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return error.problems.map((each) => each.slice(`NITKA_CONFIG (${path}): `.length));
  }
}

const problemsOfProject = (project: unknown) => problemsOf({ projects: { shop: project } });

it.each([
  [{ limits: { messagePerMinute: 3 } }, "limits.messagePerMinute is an unknown field: did you mean messagesPerMinute?"],
  [{ attachments: { maxByte: 1 } }, "attachments.maxByte is an unknown field: did you mean maxBytes?"],
  [
    { mcpServers: { a: { type: "http", url: "http://a/", header: {} } } },
    "mcpServers.a.header is an unknown field: did you mean headers?",
  ],
])("an unknown field is compared with those of its own object: %j", (project, problem) => {
  expect(problemsOfProject(project)).toEqual([`projects.shop.${problem}`]);
});

it.each([
  [
    { knowledge: { sources: [{ folder: "docs", url: "https://a.example/", every: "1h" }] } },
    "knowledge.sources.0.every is an unknown field: did you mean projects.shop.knowledge.every?",
  ],
  [{ limits: { model: "demo" } }, "limits.model is an unknown field: did you mean projects.shop.model?"],
  [{ apiKey: "key" }, "apiKey is an unknown field: did you mean providers.<name>.apiKey?"],
])("a field in the wrong object is named with its right place: %j", (project, problem) => {
  expect(problemsOfProject(project)).toEqual([`projects.shop.${problem}`]);
});

it("a field of a project beside `projects` is named with its right place", () => {
  expect(problemsOf({ title: "Shop", projects: { shop: {} } })).toEqual([
    "title is an unknown field: did you mean projects.<name>.title?",
  ]);
});

it.each([
  [{ attachments: { maxBytes: "10MB" } }, 'attachments.maxBytes is "10MB": expected a number.'],
  [{ notice: { text: 5 } }, "notice.text is 5: expected a string."],
  [{ notice: "AI" }, 'notice is "AI": expected false or an object.'],
])("a field that may be false or an object is judged by its form: %j", (project, problem) => {
  expect(problemsOfProject(project)).toEqual([`projects.shop.${problem}`]);
});

it("a provider without a type is told the types", () => {
  expect(problemsOf({ providers: { own: { apiKey: "key" } }, projects: { shop: {} } })).toEqual([
    'providers.own.type is missing: expected "openai-compatible" or "openai" or "anthropic" or "google".',
  ]);
});
