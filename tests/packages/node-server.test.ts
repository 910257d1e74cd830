import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { startTemporaryPostgres } from "@nitka/server/temporary-postgres";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { findOldestNode } from "../../scripts/find-oldest-node.mjs";
import { findNpm } from "../../scripts/find-npm.mjs";
import { runCompiler } from "../../scripts/run-compiler.mjs";
import { root } from "../../scripts/workspace.mjs";
import { codeIn } from "../docs-code.ts";
import { newVisitor } from "./http-visitor.ts";
import { installApp } from "./installed-app.ts";
import type { InstalledApp, Serving } from "./installed-app.ts";
import { startBrowser } from "./real-browser.ts";
import type { RealBrowser } from "./real-browser.ts";

/** The example is the code that a host would write. The test runs it as JavaScript, which every Node supports. */
const example = stripTypeScriptTypes(readFileSync(join(root, "examples", "hono", "server.ts"), "utf8"));

const start = `
import { serve } from "@hono/node-server";
import { createApplication } from "./server.js";

const { application } = await createApplication("chat.db");
serve({ fetch: application.fetch, port: 0 }, ({ port }) => console.log("http://127.0.0.1:" + port));
`;

/** A server on Postgres, opened as the docs show. */
const [, postgresStorage = ""] = codeIn("library.md", "createChatServer");
const startPostgres = `
import { serve } from "@hono/node-server";
import { createDemoModel } from "@nitka/demo-model";
import { createChatServer } from "@nitka/server";
${postgresStorage}
const projects = { default: { models: [createDemoModel({ speed: 50 })] } };
const server = createChatServer({ storage, projects, secret: "the secret of sixteen letters" });
serve({ fetch: server.fetch, port: 0 }, ({ port }) => console.log("http://127.0.0.1:" + port));
`;

/** Imports the given entries, and prints the packages whose files were loaded. */
const load = `
import { registerHooks } from "node:module";

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    const name = /.*[/]node_modules[/]((?:@[^/]+[/])?[^/]+)[/]/.exec(url)?.[1];
    if (name !== undefined) loaded.add(name);
    return next(url, context);
  },
});
for (const entry of process.argv.slice(2)) await import(entry);
console.log(JSON.stringify([...loaded].sort()));
`;

/** What the packages need themselves changes without us: only what \`@nitka/server\` names is compared. */
const compared = /^(@ai-sdk\/(anthropic|google|mcp|openai-compatible)|@cfworker\/.*|ai|aws4fetch|kysely|pg)$/;

/** A host's own code that uses every entry. It does not compile if the types of a package are incomplete. */
const consumer = `
import { createChatServer, defaultLimits } from "@nitka/server";
import type { ChatServer, Model, Project, Storage } from "@nitka/server";
import { createAiSdkModel } from "@nitka/server/ai-sdk";
import { createAnthropicModel } from "@nitka/server/anthropic";
import { createFolderFiles } from "@nitka/server/folder-files";
import { createGoogleModel } from "@nitka/server/google";
import { createMcpTools } from "@nitka/server/mcp";
import { systemClock } from "@nitka/server/model-kit";
import { createOpenAiCompatibleModel } from "@nitka/server/openai-compatible";
import { openPostgresStorage } from "@nitka/server/postgres";
import { createS3Files } from "@nitka/server/s3-files";
import { openSqliteStorage } from "@nitka/server/sqlite";
import { createScriptedModel } from "@nitka/server/testing";
import { createDemoModel } from "@nitka/demo-model";
import { runConformance } from "@nitka/conformance";
import type { ConformanceReport } from "@nitka/conformance";
import { createNitkaTransport, toUiMessage } from "@nitka/ai-sdk";
import { createMemoryThreads, createNitkaRoutes } from "@nitka/ai-sdk/routes";
import type { ThreadStorage } from "@nitka/ai-sdk/routes";
import { threadStorageContract } from "@nitka/ai-sdk/storage-contract";
import { createDesk } from "@nitka/desk";
import type { Desk } from "@nitka/desk";
import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";

export const unused = [createAiSdkModel, createFolderFiles, createMcpTools, createS3Files, createScriptedModel, systemClock];
const storage: Storage = await openSqliteStorage({ path: ":memory:", files: createFolderFiles("files") });
const models: Model[] = [
  createDemoModel({ speed: 2 }),
  createAnthropicModel({ model: "a" }),
  createGoogleModel({ model: "g" }),
  createOpenAiCompatibleModel({ model: "o", baseUrl: "http://localhost" }),
];
const project: Project = { models, limits: { ...defaultLimits, messageChars: 10 } };
export const server: ChatServer = createChatServer({ storage, projects: { default: project }, secret: "s".repeat(16) });
export const desk: Desk = createDesk({ storage, projects: { default: project }, key: "k".repeat(16) });
export const checks = (proxyUrl: URL): Promise<ConformanceReport> => runConformance({ proxyUrl, projectId: "default" });
export const other: Promise<Storage> = openPostgresStorage({ url: "postgres://db/nitka", instanceId: "i" });
export const page = [createNitkaTransport("/api/debug/threads"), toUiMessage, threadStorageContract];
const threads: ThreadStorage = createMemoryThreads();
export const handle = createNitkaRoutes(() => new Response(), { storage: threads, identify: () => "anna" });
export const words = (message: Message): string => textOf(message);
`;

const consumerConfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2022",
    // The AI SDK's types need those of the web.
    lib: ["es2023", "dom"],
    types: ["node"],
  },
  files: ["consumer.ts"],
};

const bin = "node_modules/nitka/bin/nitka.mjs";

let oldest: string;
let app: InstalledApp;
let browser: RealBrowser;

beforeAll(async () => {
  [oldest, app, browser] = await Promise.all([
    findOldestNode(),
    installApp({
      packages: inject("packages"),
      uses: [
        "@nitka/server",
        "@nitka/demo-model",
        "@nitka/desk",
        "@nitka/conformance",
        "@nitka/ai-sdk",
        "@nitka/widget",
        "nitka",
      ],
      dependencies: installedVersions("hono", "@hono/node-server", "@types/node"),
      files: {
        "server.js": example,
        "start.js": start,
        "start-postgres.js": startPostgres,
        "load.js": load,
        "consumer.ts": consumer,
        "tsconfig.json": JSON.stringify(consumerConfig),
      },
    }),
    startBrowser(),
  ]);
});

afterAll(async () => {
  await browser?.close();
  app?.remove();
});

describe.each([
  ["the oldest Node that the packages promise", () => oldest],
  ["this Node", () => process.execPath],
])("on %s", (_, node) => {
  it("a custom server with a script tag chats", async () => {
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

it("two custom servers on one Postgres have the same conversations", async () => {
  const postgres = await startTemporaryPostgres();
  const servers: Serving[] = [];
  try {
    const env = { DATABASE_URL: await postgres.createDatabase() };
    const first = await app.serve(oldest, "start-postgres.js", env);
    servers.push(first);
    const second = await app.serve(oldest, "start-postgres.js", env);
    servers.push(second);
    const visitor = await newVisitor(first.url);
    expect(await visitor.ask("Привет!")).toContain('"type":"finish"');
    expect(await visitor.at(second.url).messages()).toEqual(await visitor.messages());
    expect(await visitor.messages()).toHaveLength(2);
  } finally {
    for (const server of servers) await server.stop();
    await postgres.stop();
  }
});

it("npx finds the program, which knows its version and its commands", async () => {
  const npx = (...args: readonly string[]) =>
    app.run(findNpm(), "exec", "--silent", "--offline", "--", "nitka", ...args);
  const version = inject("packages").find(({ name }) => name === "nitka")?.version;
  expect((await npx("--version")).trim()).toBe(version);
  expect(await npx("--help")).toContain("nitka export");
});

describe("A server loads the packages of what it uses", () => {
  it.each([
    { entry: "@nitka/server", loads: [] },
    { entry: "@nitka/server/sqlite", loads: ["kysely"] },
    { entry: "@nitka/server/postgres", loads: ["kysely", "pg"] },
    { entry: "@nitka/server/folder-files", loads: [] },
    { entry: "@nitka/server/s3-files", loads: ["aws4fetch"] },
    { entry: "@nitka/server/ai-sdk", loads: ["@cfworker/json-schema", "ai"] },
    { entry: "@nitka/server/openai-compatible", loads: ["@ai-sdk/openai-compatible", "@cfworker/json-schema", "ai"] },
    { entry: "@nitka/server/anthropic", loads: ["@ai-sdk/anthropic", "@cfworker/json-schema", "ai"] },
    { entry: "@nitka/server/google", loads: ["@ai-sdk/google", "@cfworker/json-schema", "ai"] },
    { entry: "@nitka/server/mcp", loads: ["@ai-sdk/mcp"] },
    {
      entry: "@nitka/server/embeddings",
      loads: ["@ai-sdk/google", "@ai-sdk/openai-compatible", "@cfworker/json-schema", "ai"],
    },
    { entry: "@nitka/server/model-kit", loads: [] },
    { entry: "@nitka/server/desk-kit", loads: [] },
    { entry: "@nitka/server/testing", loads: [] },
    { entry: "@nitka/demo-model", loads: ["@cfworker/json-schema", "ai"] },
    { entry: "@nitka/desk", loads: [] },
    { entry: "@nitka/conformance", loads: [] },
    { entry: "@nitka/ai-sdk", loads: ["ai"] },
    { entry: "@nitka/ai-sdk/routes", loads: [] },
    { entry: "@nitka/ai-sdk/storage-contract", loads: [] },
  ])("$entry: $loads", async ({ entry, loads }) => {
    const packages = JSON.parse(await app.runOn(oldest, "--no-warnings", "load.js", entry)) as readonly string[];
    expect(packages.filter((name) => compared.test(name))).toEqual(loads);
  });
});

it("the types are complete", async () => {
  expect(await runCompiler([], { cwd: app.folder })).toEqual({ ok: true, output: "" });
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
