import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { readSettings, secretsOf } from "../read-settings.ts";
import { SettingsError } from "./settings-error.ts";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("a variable in the file", () => {
  it("is replaced in every string, and $${ stands for a literal ${", () => {
    const { path } = write({
      projects: { shop: { title: "${NAME}'s", instructions: "Say $${NAME}, $5 and {NAME}.", secret: "${A}${B}" } },
    });
    const { projects } = readSettings({ NITKA_CONFIG: path, NAME: "Анна", A: "0123456789", B: "abcdef" });
    expect(projects["shop"]).toEqual({
      title: "Анна's",
      instructions: "Say ${NAME}, $5 and {NAME}.",
      secret: "0123456789abcdef",
    });
  });

  it("stops the start and is named with its field when it is unset, empty, or not a variable", () => {
    const { path, problems } = write({
      projects: { shop: { title: "${GONE}", greeting: { title: "${EMPTY}" }, secret: "${not a name}0123456789" } },
    });
    expect(problems({ EMPTY: "" })).toEqual([
      `NITKA_CONFIG (${path}): projects.shop.title holds \${GONE}: expected the environment variable GONE to be set.`,
      `NITKA_CONFIG (${path}): projects.shop.greeting.title holds \${EMPTY}: expected the environment variable EMPTY to be set.`,
      `NITKA_CONFIG (${path}): projects.shop.secret holds \${: expected a variable's name and } after \${ (write $\${ for a plain \${).`,
    ]);
  });

  it("never shows its value in a problem", () => {
    const { problems } = write({
      projects: { shop: { currency: "${SECRET}", models: [{ id: "demo", input: ["${SECRET}"] }] } },
    });
    const told = problems({ SECRET: "hunter2" }).join("\n");
    expect(told).toContain('projects.shop.currency is "${SECRET}": expected a currency');
    expect(told).toContain('projects.shop.models.0.input.0 is "${SECRET}": expected');
    expect(told).not.toContain("hunter2");
  });

  it("cannot become a field or change another place of the file", () => {
    const { path } = write({ projects: { shop: { title: "${X}" } } });
    const { projects } = readSettings({ NITKA_CONFIG: path, X: '", "secret": "${Y}', Y: "y" });
    expect(projects["shop"]).toEqual({ title: '", "secret": "${Y}' });
  });
});

describe("knowledge", () => {
  it("resolves its folders relative to the file", () => {
    const sources = [
      { sitemap: "https://shop.example/sitemap.xml", include: ["/help/*"], exclude: ["*?print=*"] },
      { pages: ["https://shop.example/delivery"] },
      { folder: "./handbook", url: "https://shop.example/handbook/" },
    ];
    const { path, folder } = write({ projects: { shop: { knowledge: { sources, every: "24h" } } } });
    expect(readSettings({ NITKA_CONFIG: path }).projects["shop"]?.knowledge).toEqual({
      sources: [...sources.slice(0, 2), { folder: join(folder, "handbook"), url: "https://shop.example/handbook/" }],
      every: "24h",
    });
  });

  it.each([
    [{ sources: [] }, "knowledge.sources is []: expected at least 1."],
    [{ sources: [{}] }, "knowledge.sources.0 is {}: expected one of sitemap, pages and folder."],
    [
      { sources: [{ sitemap: "https://a.example/s.xml", pages: ["https://a.example/"] }] },
      'knowledge.sources.0 is {"sitemap":"https://a.example/s.xml","pages":["https://a.example/"]}: expected one of sitemap, pages and folder.',
    ],
    [
      { sources: [{ folder: "docs" }] },
      "knowledge.sources.0.url is missing: expected the address under which the folder's files are published.",
    ],
    [
      { sources: [{ sitemap: "ftp://a.example/" }] },
      'knowledge.sources.0.sitemap is "ftp://a.example/": expected an http or https address without a user and a password.',
    ],
    [
      { sources: [{ pages: ["https://a.example/"] }], every: "90s" },
      'knowledge.every is "90s": expected a time in minutes, hours or days, such as "30m", "6h" or "7d".',
    ],
    [
      { sources: [{ pages: ["https://a.example/"], incude: ["/a"] }] },
      "knowledge.sources.0.incude is an unknown field: did you mean include?",
    ],
    [
      { sources: [{ pages: ["https://a.example/"] }], embeddings: "text-embedding-3-small" },
      'knowledge.embeddings is "text-embedding-3-small": expected OPENAI_BASE_URL or OPENAI_API_KEY to be set as well.',
    ],
  ])("%j is refused with the expected values", (knowledge, problem) => {
    const { problems } = write({ projects: { shop: { knowledge } } });
    expect(problems().map((each) => each.replace(/^NITKA_CONFIG \(.*?\): /, ""))).toEqual([`projects.shop.${problem}`]);
  });
});

describe("instructionsFile", () => {
  it("is read relative to the file, without a byte order mark", () => {
    const { path, folder } = write({ projects: { shop: { instructionsFile: "prompts/shop.md" } } });
    mkdirSync(join(folder, "prompts"));
    writeFileSync(join(folder, "prompts", "shop.md"), "\uFEFFТы продавец.\nОтвечай ${коротко}.\n");
    expect(readSettings({ NITKA_CONFIG: path }).projects["shop"]).toEqual({
      instructions: "Ты продавец.\nОтвечай ${коротко}.",
    });
  });

  it.each(["missing.md", "empty.md", "."])("is reported when it is %s", (name) => {
    const { path, folder, problems } = write({ projects: { shop: { instructionsFile: name } } });
    writeFileSync(join(folder, "empty.md"), " \n");
    expect(problems()).toEqual([
      `NITKA_CONFIG (${path}): projects.shop.instructionsFile is ${JSON.stringify(name)}: expected a file with text, relative to this one.`,
    ]);
  });

  it("cannot be combined with instructions", () => {
    const { path, problems } = write({ projects: { shop: { instructions: "a", instructionsFile: "b" } } });
    expect(problems()).toEqual([
      `NITKA_CONFIG (${path}): projects.shop.instructionsFile is "b": expected nothing here, since the project also has instructions.`,
    ]);
  });
});

describe("webhooks", () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

  it("are read with their variables, and their secrets are hidden from the log", () => {
    const webhook = { url: "https://crm.example/hook", secret: "${HOOK}", events: ["run.ended"], texts: true };
    const { path } = write({ projects: { shop: { webhooks: [webhook, { url: "http://crm:3000", secret }] } } });
    const settings = readSettings({ NITKA_CONFIG: path, HOOK: secret });
    expect(settings.projects["shop"]?.webhooks?.[0]).toEqual({ ...webhook, secret });
    expect(secretsOf(settings)).toEqual([secret, secret]);
  });

  it("stop the start with the field's name, and without the secret", () => {
    const { path, problems } = write({
      projects: {
        shop: {
          webhooks: [
            { url: "http://crm.example/hook", secret },
            { url: "https://crm.example", secret: "whsec_hunter2" },
            { url: "https://crm.example/two", secret, events: ["thread.deleted"], text: true },
          ],
        },
        help: {
          webhooks: [
            { url: "https://crm.example", secret },
            { url: "https://crm.example", secret },
          ],
        },
      },
    });
    const told = problems().map((each) => each.slice(`NITKA_CONFIG (${path}): projects.`.length));
    expect(told).toEqual([
      'shop.webhooks.0.url is "http://crm.example/hook": expected an https URL without a user and a password (http only for localhost, a private address, or a name without a dot).',
      "shop.webhooks.1.secret is invalid: expected whsec_ and 24 to 64 bytes in base64.",
      'shop.webhooks.2.events.0 is "thread.deleted": expected "thread.created" or "run.ended" or "message.rated" or "approval.denied" or "visitor.erased" or "budget.spent".',
      "shop.webhooks.2.text is an unknown field: did you mean texts?",
      expect.stringMatching(/^help\.webhooks is .*: expected each address once\.$/),
    ]);
    expect(told.join()).not.toContain("hunter2");
  });
});

describe("providers", () => {
  it("provide models wherever one is named, and their keys are secrets", () => {
    const { path } = write({
      providers: {
        local: { type: "openai-compatible", baseUrl: "http://localhost:11434/v1" },
        router: {
          type: "openai",
          baseUrl: "https://gate.example/v1",
          apiKey: "${KEY}",
          headers: { "x-a": "Bearer t" },
        },
      },
      projects: {
        shop: {
          models: [{ id: "local:llama3.2:3b", input: [], tools: false, contextTokens: 8_000 }, { id: "router:gpt-5" }],
          model: "router:gpt-5",
          titleModel: "local:small",
          fallbackModel: "local:llama3.2:3b",
        },
      },
    });
    const settings = readSettings({ NITKA_CONFIG: path, KEY: "key-of-router" });
    expect(Object.keys(settings.providers)).toEqual(["local", "router"]);
    expect(secretsOf(settings)).toEqual(["key-of-router", "Bearer t", "t"]);
  });

  it("are reported when they are invalid, without their keys", () => {
    const { path, problems } = write({
      providers: {
        demo: { type: "openai" },
        "a b": { type: "openai" },
        bare: { type: "openai-compatible" },
        other: { type: "ollama", baseUrl: "http://localhost" },
        typo: { type: "google", apikey: "hunter2" },
        address: { type: "anthropic", baseUrl: "https://me:hunter2@a.example/v1" },
        query: { type: "openai", baseUrl: "https://a.example/v1?key=1", apiKey: "hunter2 ключ" },
      },
      projects: { shop: { model: "demo" } },
    });
    expect(problems().map((each) => each.slice(`NITKA_CONFIG (${path}): `.length))).toEqual([
      "providers.demo is not a valid name: expected another name than demo, which is the built-in model.",
      "providers.a b is not a valid name: expected up to 32 letters, digits, _ and -.",
      "providers.bare.baseUrl is missing: expected a string.",
      'providers.other.type is "ollama": expected "openai-compatible" or "openai" or "anthropic" or "google".',
      "providers.typo.apikey is an unknown field: did you mean apiKey?",
      "providers.address.baseUrl is invalid: expected an http or https URL without a user, a query or a fragment, since a path is appended.",
      "providers.query.baseUrl is invalid: expected an http or https URL without a user, a query or a fragment, since a path is appended.",
      "providers.query.apiKey is invalid: expected a key of plain visible characters, without spaces.",
    ]);
  });

  it("with identify require the project's secret, in each project that has one of their models", () => {
    const providers = { own: { type: "openai-compatible", baseUrl: "http://localhost:1/v1", identify: true } };
    const secret = "0123456789abcdef";
    const sentence = (project: string, id: string) =>
      `projects.${project}.secret is missing: expected a secret, because the provider of the model "${id}" has identify and gets a signed token of the visitor.`;
    const { problems } = write({
      providers,
      projects: {
        shop: { model: "own:chat" },
        help: { model: "demo", titleModel: "own:small" },
        good: { model: "own:chat", secret },
        demo: { model: "demo" },
      },
    });
    expect(problems()).toEqual([sentence("shop", "own:chat"), sentence("help", "own:small")]);
  });

  it("are listed for a model with another prefix that nothing else serves", () => {
    const { problems } = write({
      providers: { local: { type: "openai-compatible", baseUrl: "http://localhost:1/v1" } },
      projects: { shop: { model: "locale:llama" }, help: { model: "demo", fallbackModel: "demo" } },
    });
    expect(problems()).toEqual([
      'projects.shop.model is "locale:llama": expected OPENAI_BASE_URL or OPENAI_API_KEY, or one of the file\'s providers (local) before a colon, to be set as well.',
      'projects.help.fallbackModel is "demo": expected a model other than the project\'s own.',
    ]);
    // At an upstream of the environment this is a model's name.
    expect(problems({ OPENAI_BASE_URL: "http://localhost:2/v1" })).toHaveLength(1);
  });

  it("have models whose window must hold the instructions and an answer", () => {
    const { problems } = write({
      projects: { shop: { instructions: "x".repeat(4_000), models: [{ id: "demo", contextTokens: 1_000 }] } },
    });
    expect(problems()).toEqual([
      "projects.shop.models.0.contextTokens is 1000: expected more than the 1000 that the instructions take and the 250 that are reserved for the answer.",
    ]);
    const answering = (maxOutputTokens: number) =>
      write({ projects: { shop: { maxOutputTokens, models: [{ id: "demo", contextTokens: 1_000 }] } } }).problems();
    expect(answering(900)).toEqual([]);
    expect(answering(1_000)).toEqual([
      "projects.shop.models.0.contextTokens is 1000: expected more than the 0 that the instructions take and the 1000 that are reserved for the answer.",
    ]);
  });
});

function write(content: unknown) {
  const folder = mkdtempSync(join(tmpdir(), "nitka-"));
  folders.push(folder);
  const path = join(folder, "nitka.json");
  writeFileSync(path, JSON.stringify(content));
  const problems = (env: Readonly<Record<string, string>> = {}): readonly string[] => {
    try {
      readSettings({ ...env, NITKA_CONFIG: path });
      return [];
    } catch (error) {
      return error instanceof SettingsError ? error.problems : [String(error)];
    }
  };
  return { folder, path, problems };
}
