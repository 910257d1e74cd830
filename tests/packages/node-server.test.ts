import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findOldestNode } from "../../scripts/find-oldest-node.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { root } from "../../scripts/workspace.mjs";
import { installApp } from "./installed-app.ts";
import type { InstalledApp } from "./installed-app.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

/** The example is what a host would write: the test runs it as JavaScript, which every Node takes. */
const example = stripTypeScriptTypes(readFileSync(join(root, "examples", "hono", "server.ts"), "utf8"));

const start = `
import { serve } from "@hono/node-server";
import { createApplication } from "./server.js";

const { application } = await createApplication("chat.db");
serve({ fetch: application.fetch, port: 0 }, ({ port }) => console.log("http://127.0.0.1:" + port));
`;

const bin = "node_modules/nitka/bin/nitka.mjs";

let oldest: string;
let app: InstalledApp;
let browser: RealBrowser;

beforeAll(async () => {
  [oldest, app, browser] = await Promise.all([
    findOldestNode(),
    installApp({
      packages: inject("packages"),
      uses: ["@nitka/server", "@nitka/demo-model", "@nitka/widget", "nitka"],
      dependencies: installedVersions("hono", "@hono/node-server"),
      files: { "server.js": example, "start.js": start },
    }),
    startBrowser(),
  ]);
}, 300_000);

afterAll(async () => {
  await browser?.close();
  app?.remove();
});

describe.each([
  ["the oldest Node that the packages promise", () => oldest],
  ["this Node", () => process.execPath],
])("on %s", (_, node) => {
  it("a server of one's own with a script tag chats", async () => {
    const server = await app.serve(node(), "start.js");
    try {
      expect(await browser.ask(server.url, "Привет!")).toContain("демо");
    } finally {
      await server.stop();
    }
  });

  it("nitka serves the chat", async () => {
    const program = await app.serve(node(), bin);
    try {
      expect(await browser.ask(program.url, "Привет!")).toContain("демо");
    } finally {
      await program.stop();
    }
  });
});

it("npx finds the program, which knows its version and its commands", async () => {
  const npx = (...args: readonly string[]) =>
    app.run(findNpm(), "exec", "--silent", "--offline", "--", "nitka", ...args);
  const version = inject("packages").find(({ name }) => name === "nitka")?.version;
  expect((await npx("--version")).trim()).toBe(version);
  expect(await npx("--help")).toContain("nitka export");
});

/** The versions that the repository has. */
function installedVersions(...names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.map((name) => {
      const manifest = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
      return [name, (JSON.parse(manifest) as { readonly version: string }).version];
    }),
  );
}
