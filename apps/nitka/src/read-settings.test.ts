import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "@nitka/server";
import { afterEach, describe, expect, it } from "vitest";
import { createProjects } from "./projects.ts";
import { readSettings, secretsOf } from "./read-settings.ts";
import { SettingsError } from "./config/settings-error.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe("readSettings", () => {
  it("drops the webhooks when NITKA_WEBHOOKS is off, for example on a copy of the database", () => {
    const webhooks = [{ url: "https://crm.example/hook", secret: `whsec_${Buffer.alloc(32).toString("base64")}` }];
    const given = { NITKA_CONFIG: file({ projects: { shop: { title: "Лавка", webhooks } } }) };
    expect(readSettings(given).projects).toEqual({ shop: { title: "Лавка", webhooks } });
    expect(readSettings({ ...given, NITKA_WEBHOOKS: "off" }).projects).toEqual({ shop: { title: "Лавка" } });
  });

  it("defaults to the projects of the full page and the demo shop, with the demo model", () => {
    const settings = readSettings({});
    const made = createProjects(settings.projects, settings, silent).projects;
    expect(Object.entries(made).map(([id, { models }]) => [id, models.map((model) => model.id)])).toEqual([
      ["default", ["demo"]],
      ["demo", ["demo"]],
    ]);
  });

  it("reads each project of the file, with its models and limits", () => {
    const settings = readSettings({
      OPENAI_API_KEY: "key",
      ANTHROPIC_API_KEY: "key",
      NITKA_MODEL: "gpt-5-mini",
      NITKA_CONFIG: file({
        projects: {
          shop: {
            title: "Лавка",
            suggestions: [{ title: "Что нового?", prompt: "Что нового на полке?" }],
            models: [{ id: "gpt-5", name: "Умная" }, { id: "anthropic:claude" }, { id: "demo" }],
            model: "demo",
            allowedOrigins: ["https://shop.example"],
            instructions: "Ты продавец.",
            approve: ["stock/*", "!stock/find", "cancel_order"],
            mcpServers: { stock: { type: "http", url: "https://stock.example/mcp", headers: { authorization: "x" } } },
            limits: { messagesPerMinute: null, threads: 5 },
            secret: "0123456789abcdef",
          },
          help: {},
        },
      }),
    });
    const { shop, help } = createProjects(settings.projects, settings, silent).projects;
    expect({ ...shop, models: shop?.models.map(({ id, name }) => [id, name]) }).toEqual({
      config: { title: "Лавка", suggestions: [{ title: "Что нового?", prompt: "Что нового на полке?" }] },
      models: [
        ["gpt-5", "Умная"],
        ["anthropic:claude", "anthropic:claude"],
        ["demo", "Демо"],
      ],
      model: "demo",
      allowedOrigins: ["https://shop.example"],
      instructions: "Ты продавец.",
      approve: ["stock/*", "!stock/find", "cancel_order"],
      limits: { messagesPerMinute: null, threads: 5 },
      secret: "0123456789abcdef",
    });
    expect(help?.models.map(({ id }) => id)).toEqual(["gpt-5-mini"]);
  });

  it("accepts every limit that the server has", () => {
    const limits = Object.fromEntries(Object.keys(defaultLimits).map((name) => [name, 7]));
    const settings = readSettings({ NITKA_CONFIG: file({ projects: { shop: { limits } } }) });
    const { shop } = createProjects(settings.projects, settings, silent).projects;
    expect(shop?.limits).toEqual(limits);
  });

  it.each([
    [{}, "demo"],
    [{ OPENAI_BASE_URL: "http://localhost:1234" }, "gpt-4o-mini"],
    [{ OPENAI_API_KEY: "key" }, "gpt-4o-mini"],
    [{ OPENAI_API_KEY: "key", NITKA_MODEL: "demo" }, "demo"],
    [{ GOOGLE_GENERATIVE_AI_API_KEY: "key", NITKA_MODEL: "google:gemini" }, "google:gemini"],
  ])("chooses for %j the model %s", (given, model) => {
    const settings = readSettings(given);
    expect(createProjects(settings.projects, settings, silent).projects["default"]?.models[0]?.id).toBe(model);
  });

  it("accepts a key for the desk with a port for it, and hides it from the log", () => {
    const key = "a key of sixteen letters";
    expect(secretsOf(readSettings({ NITKA_DESK_KEY: key, NITKA_OPS_PORT: "0" }))).toContain(key);
    expect(problemsOf({ NITKA_DESK_KEY: key })).toEqual([
      "NITKA_DESK_KEY is set: expected NITKA_OPS_PORT to be set as well, since the desk is on that port alone.",
    ]);
    const keys = `anna:${key}, борис:${key}:2`;
    expect(secretsOf(readSettings({ NITKA_DESK_KEYS: keys, NITKA_OPS_PORT: "0" }))).toEqual([key, `${key}:2`]);
    expect(problemsOf({ NITKA_DESK_KEYS: keys })).toEqual([
      "NITKA_DESK_KEYS is set: expected NITKA_OPS_PORT to be set as well, since the desk is on that port alone.",
    ]);
    expect(problemsOf({ PORT: "3000", NITKA_OPS_PORT: "3000" })).toEqual([
      "NITKA_OPS_PORT is 3000, as PORT is: expected another port.",
    ]);
    expect(problemsOf({ NITKA_DESK_KEY: "too short", NITKA_OPS_PORT: "0" })).toEqual([
      "NITKA_DESK_KEY is invalid (9 characters): expected at least 16 characters, the same on every instance.",
    ]);
  });

  it("names every invalid and every unknown field", () => {
    const path = file({
      projects: {
        shop: {
          alowedOrigins: ["https://shop.example"],
          currency: "dollars",
          prices: { fast: { input: -1, outputs: 2 } },
          allowedOrigins: ["https://shop.example/"],
          apiBase: "./",
          limits: { messagesPerMinute: "many", messages: 3, threads: 0 },
          mcpServers: {
            stock: { type: "stdio", url: "https://stock.example" },
            price: { type: "http", url: "https://me:hunter2@price.example", headers: { authorization: "Bearer ключ" } },
          },
          secret: "hunter2",
          attachments: { maxCount: 1e18 },
          greeting: "Привет",
          imageHosts: ["https://img.example", "a,b", "*"],
          titleUrl: "javascript:alert(1)",
          pageUrl: "data:text/html,x",
          notice: { url: "javascript:alert(1)" },
          voice: { input: "yes", mouth: true },
          temperature: 3,
          maxSteps: 0,
          reasoningEffort: "hard",
        },
      },
      extra: true,
    });
    const where = `NITKA_CONFIG (${path}): `;
    const problems = problemsOf({ NITKA_CONFIG: path });
    expect(problems.filter((problem) => !problem.startsWith(where))).toEqual([]);
    expect(problems.map((problem) => problem.slice(where.length)).toSorted()).toEqual([
      "extra is an unknown field.",
      'projects.shop.allowedOrigins.0 is "https://shop.example/": expected an origin such as https://shop.example.',
      "projects.shop.alowedOrigins is an unknown field: did you mean allowedOrigins?",
      "projects.shop.apiBase is an unknown field: the server sets it itself.",
      "projects.shop.attachments.maxCount is 1000000000000000000: expected at most 9007199254740991.",
      'projects.shop.currency is "dollars": expected a currency of ISO 4217, such as USD.',
      'projects.shop.greeting is "Привет": expected an object.',
      'projects.shop.imageHosts.0 is "https://img.example": expected a host such as img.example.com.',
      'projects.shop.imageHosts.1 is "a,b": expected a host such as img.example.com.',
      'projects.shop.imageHosts.2 is "*": expected a host such as img.example.com.',
      "projects.shop.limits.messages is an unknown field.",
      'projects.shop.limits.messagesPerMinute is "many": expected a number or null.',
      "projects.shop.limits.threads is 0: expected more than 0.",
      "projects.shop.maxSteps is 0: expected more than 0.",
      "projects.shop.mcpServers.price.headers.authorization is invalid: expected a value that a header may have.",
      "projects.shop.mcpServers.price.url is invalid: expected an http or https URL without a user and a password (write an authorization header).",
      'projects.shop.mcpServers.stock.type is "stdio": expected "http".',
      'projects.shop.notice.url is "javascript:alert(1)": expected a URL that a page may open.',
      'projects.shop.pageUrl is "data:text/html,x": expected a URL that a page may open.',
      "projects.shop.prices.fast.input is -1: expected at least 0.",
      "projects.shop.prices.fast.output is missing: expected a number.",
      "projects.shop.prices.fast.outputs is an unknown field: did you mean output?",
      'projects.shop.reasoningEffort is "hard": expected "none" or "minimal" or "low" or "medium" or "high" or "xhigh" or "max".',
      "projects.shop.secret is invalid: expected at least 16 characters.",
      "projects.shop.temperature is 3: expected at most 2.",
      'projects.shop.titleUrl is "javascript:alert(1)": expected a URL that a page may open.',
      'projects.shop.voice.input is "yes": expected a boolean.',
      "projects.shop.voice.mouth is an unknown field.",
    ]);
  });

  it("names the settings that require the project's secret, and claims that are not the host's own", () => {
    const stock = { type: "http", url: "https://stock.example/mcp", identify: true };
    const path = file({
      projects: {
        a: { shareClaims: ["plan"], mcpServers: { stock } },
        b: {
          shareClaims: ["sub", ""],
          mcpServers: { stock: { ...stock, identify: "yes" } },
          secret: "0123456789abcdef",
        },
        c: { shareClaims: ["plan"], mcpServers: { stock }, secret: "0123456789abcdef" },
        d: { mcpServers: { stock: { ...stock, secret: "a secret of its own" } } },
        e: { mcpServers: { stock: { ...stock, secret: "short" } }, secret: "0123456789abcdef" },
      },
    });
    const where = `NITKA_CONFIG (${path}): projects.`;
    expect(problemsOf({ NITKA_CONFIG: path }).map((problem) => problem.slice(where.length))).toEqual([
      `a.shareClaims is ["plan"]: expected secret to be set as well: claims come with the host's tokens, which it verifies.`,
      "a.mcpServers.stock.identify is true: expected secret to be set as well: it signs the token that names the visitor to the MCP server.",
      "b.mcpServers.stock.identify is invalid: expected a boolean.",
      'b.shareClaims.0 is "sub": expected a claim beside the registered ones (iss, sub, aud, exp, nbf, iat, jti).',
      'b.shareClaims.1 is "": expected at least 1 characters.',
      "e.mcpServers.stock.secret is invalid: expected at least 16 characters.",
    ]);
  });

  it("names an unknown view of a tool, and a switch that is not a boolean", () => {
    const path = file({
      projects: {
        a: { toolViews: { stock: "some", search: 1, pay: "name" }, followUps: "yes" },
        b: { toolViews: { stock: "hidden" }, followUps: true },
      },
    });
    const where = `NITKA_CONFIG (${path}): projects.`;
    expect(problemsOf({ NITKA_CONFIG: path }).map((problem) => problem.slice(where.length))).toEqual([
      'a.toolViews.stock is "some": expected "all" or "args" or "name" or "hidden".',
      'a.toolViews.search is 1: expected "all" or "args" or "name" or "hidden".',
      'a.followUps is "yes": expected a boolean.',
    ]);
  });

  it("names an entry of approve that is not a tool's name", () => {
    const problems = problemsOf({ NITKA_CONFIG: file({ projects: { shop: { approve: ["shop/pay", "stock/"] } } }) });
    expect(problems).toEqual([
      expect.stringContaining(
        'projects.shop.approve.1 is "stock/": expected a tool or <mcp server>/<tool>, such as cancel_order, shop/* or !shop/search.',
      ),
    ]);
  });

  it.each(["a b", "магазин", "", "x".repeat(33), "a.b"])("refuses %j as the name of an MCP server", (name) => {
    const mcpServers = { [name]: { type: "http", url: "https://stock.example/mcp" } };
    expect(problemsOf({ NITKA_CONFIG: file({ projects: { shop: { mcpServers } } }) })).toEqual([
      expect.stringContaining("at most 32 letters, digits, _ and -"),
    ]);
  });

  it("normalizes hosts as browsers do", () => {
    const { projects } = readSettings({
      NITKA_CONFIG: file({ projects: { shop: { imageHosts: ["картинки.рф", "IMG.example:8443", "localhost:3000"] } } }),
    });
    expect(projects["shop"]?.imageHosts).toEqual(["xn--80aqafcrtq.xn--p1ai", "img.example:8443", "localhost:3000"]);
  });

  it("names the setting that a model requires, and a default model that is not in the list", () => {
    const path = file({
      projects: {
        a: { model: "anthropic:claude" },
        b: { models: [{ id: "demo" }, { id: "demo" }], model: "gpt" },
        c: { model: "demo", titleModel: "google:gemini", fallbackModel: "gpt" },
      },
    });
    expect(problemsOf({ NITKA_CONFIG: path })).toEqual([
      'projects.a.model is "anthropic:claude": expected ANTHROPIC_API_KEY to be set as well.',
      'projects.b.model is "gpt": expected one of its models, demo, demo.',
      'projects.b.models names "demo" twice: expected each model once.',
      'projects.c.titleModel is "google:gemini": expected GOOGLE_GENERATIVE_AI_API_KEY to be set as well.',
      'projects.c.fallbackModel is "gpt": expected OPENAI_BASE_URL or OPENAI_API_KEY to be set as well.',
    ]);
    expect(problemsOf({ NITKA_MODEL: "gpt-5" })).toEqual([
      'NITKA_MODEL is "gpt-5": expected OPENAI_BASE_URL or OPENAI_API_KEY to be set as well.',
    ]);
  });

  it("reports the problems of the environment and of the file together", () => {
    expect(problemsOf({ PORT: "x", NITKA_CONFIG: "/nowhere/nitka.json" })).toMatchObject([
      expect.stringMatching(/^PORT is "x"/) as unknown,
      expect.stringMatching(
        /^NITKA_CONFIG is "\/nowhere\/nitka\.json": expected a JSON file that can be read \(ENOENT\)\.$/,
      ) as unknown,
    ]);
  });

  it("names the setting that an address without a pooler needs", () => {
    expect(() => readSettings({ DATABASE_DIRECT_URL: "postgres://me:hunter2@db/chat" })).toThrow(
      "DATABASE_DIRECT_URL is set: expected DATABASE_URL to be set as well, or the database is SQLite.",
    );
  });

  it("names the settings that a bucket needs", () => {
    const key = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "hidden" };
    expect([
      problemsOf({ NITKA_FILES: "s3://files" }),
      problemsOf({ NITKA_FILES: "s3://files/a/b", ...key }),
      problemsOf({ NITKA_FILES: "s3://", ...key }),
    ]).toEqual([
      ["NITKA_FILES names a bucket: expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to be set as well."],
      [],
      [
        'NITKA_FILES is "s3://": expected a folder, such as /var/lib/nitka/files, or a bucket, such as s3://bucket or s3://bucket/folder.',
      ],
    ]);
  });

  it("reads a file with a byte order mark", () => {
    expect(
      readSettings({ NITKA_CONFIG: file(`\uFEFF${JSON.stringify({ projects: { shop: {} } })}`) }).projects,
    ).toEqual({
      shop: {},
    });
  });

  it("collects all secrets", () => {
    const settings = readSettings({
      OPENAI_API_KEY: "key-of-openai",
      DATABASE_URL: "postgres://me:password@db/nitka",
      NITKA_CONFIG: file({
        projects: {
          shop: {
            secret: "0123456789abcdef",
            mcpServers: {
              stock: {
                type: "http",
                url: "https://stock.example/mcp?key=of-stock",
                headers: { authorization: "Bearer token-of-stock" },
              },
            },
          },
        },
      }),
    });
    expect(secretsOf(settings)).toEqual([
      "key-of-openai",
      "password",
      "0123456789abcdef",
      "of-stock",
      "Bearer token-of-stock",
      "token-of-stock",
    ]);
  });

  it("reports where the file is not valid JSON", () => {
    expect(problemsOf({ NITKA_CONFIG: file("{ oops") })).toEqual([expect.stringMatching(/is not JSON: .+\.$/)]);
  });
});

function file(content: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), "nitka-"));
  folders.push(folder);
  const path = join(folder, "nitka.json");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readSettings(env);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}
