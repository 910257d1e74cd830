const { Visitor } = require("@swc/core/Visitor.js");

// The walker that dependency-cruiser uses stops at `using x = …`, which holds no import: it is told to walk on.
const { value: visitStatement } = Object.getOwnPropertyDescriptor(Visitor.prototype, "visitStatement");
Visitor.prototype.visitStatement = function visitKnownStatement(statement) {
  return statement.type === "UsingDeclaration" ? statement : visitStatement.call(this, statement);
};

/** Who may import whom. Each rule is a sentence of docs/architecture.md; `npm test` holds them. */
const widget = "^packages/widget/src/";
const server = "^packages/server/src/";
const protocol = "^packages/protocol/src/";
const loadChunk = `${widget}load-chunk\\.ts$`;
const timings = `${widget}timings\\.ts$`;
const demoModel = "^packages/demo-model/src/";
const desk = "^packages/desk/src/";
const conformance = "^packages/conformance/src/";
const aiSdk = "^packages/ai-sdk/src/";
const knowledge = "^packages/knowledge/src/";
const test = "\\.(test|contract)\\.tsx?$";

/** What tests and benchmarks of ours and of others work with, and production code does not. */
const testing = [`${server}testing\\.ts$`, `${server}(model|storage|webhooks)/testing/`];

/** Tests, and the scripted stand-ins that they share, put together parts that know nothing of each other. */
const unbound = [test, ...testing, "/scripted-[a-z-]+\\.tsx?$"];

/** Files under `from` may import inside their own folder, npm packages, and what matches `to`: nothing else of ours. */
const only = (name, from, to) => ({
  name,
  severity: "error",
  from: { path: from, pathNot: unbound },
  to: { path: "^(packages|apps|tests|bench|examples)/", pathNot: [from, ...to] },
});

/** An npm package stays in the folders named for it. */
const confine = (name, packages, folders) => ({
  name,
  severity: "error",
  from: { path: "^(packages|apps)/", pathNot: [...unbound, ...folders] },
  to: { path: packages.map((p) => `node_modules/${p}/`) },
});

/** Folders of the widget's ui, from the shell down: each may import those below it, never those above. */
const uiLayers = [
  "shell",
  "sidebar",
  "thread-list",
  "thread",
  "message",
  "parts",
  "composer",
  "voice",
  "attachments",
  "markdown",
  "host-view",
  "primitives",
];

module.exports = {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "no-circular-folders", severity: "error", scope: "folder", from: {}, to: { circular: true } },
    {
      name: "not-to-unresolvable",
      comment: "mdast is a package of types alone: there is no module to find; the type check finds its types",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^mdast$" },
    },
    { name: "not-to-test", severity: "error", from: { pathNot: test }, to: { path: test } },

    {
      name: "not-to-testing",
      severity: "error",
      from: { pathNot: [test, ...testing, "^(tests|bench)/"] },
      to: { path: testing },
    },

    only("protocol-alone", protocol, []),
    {
      name: "protocol-no-packages",
      severity: "error",
      from: { path: protocol, pathNot: unbound },
      to: { path: "node_modules" },
    },

    only("widget-store", `${widget}store/`, [protocol]),
    only("widget-transport", `${widget}transport/`, [loadChunk, timings, protocol]),
    only("widget-markdown", `${widget}markdown/`, [loadChunk, protocol]),
    only("widget-browser", `${widget}browser/`, [timings, protocol]),
    only("widget-i18n", `${widget}i18n/`, [loadChunk, protocol]),
    only("widget-actions", `${widget}actions/`, [
      loadChunk,
      timings,
      // The types of the host's events.
      `${widget}options\\.ts$`,
      `${widget}store/`,
      `${widget}transport/transport\\.ts$`,
      `${widget}transport/http-error\\.ts$`,
      protocol,
    ]),
    only("widget-effects", `${widget}effects/`, [
      timings,
      `${widget}store/`,
      `${widget}actions/`,
      `${widget}browser/`,
      protocol,
    ]),
    only("widget-ui", `${widget}ui/`, [
      loadChunk,
      timings,
      `${widget}store/`,
      `${widget}actions/actions\\.ts$`,
      `${widget}markdown/`,
      `${widget}browser/`,
      `${widget}i18n/`,
      protocol,
    ]),
    ...uiLayers.map((layer, index) => ({
      name: `widget-ui-${layer}-downwards`,
      severity: "error",
      from: { path: `${widget}ui/${layer}/`, pathNot: unbound },
      to: {
        path: `${widget}ui/[^/]+/`,
        pathNot: uiLayers.slice(index).map((below) => `${widget}ui/${below}/`),
      },
    })),
    confine(
      "react-in-ui",
      ["react", "react-dom"],
      [`${widget}ui/`, `${widget}element/`, `${widget}package/`, `${widget}create-app\\.tsx?$`],
    ),
    confine(
      "markdown-parsers-in-markdown",
      ["micromark", "mdast-util", "highlight\\.js", "temml"].map((p) => `${p}[^/]*`),
      [`${widget}markdown/`, `${knowledge}reading/content/`],
    ),

    only("server", server, [protocol]),
    only("demo-model", demoModel, [`${server}(index|ai-sdk|model-kit)\\.ts$`, protocol]),
    only("desk", desk, [`${server}(index|desk-kit)\\.ts$`, protocol]),
    only("desk-pages", "^packages/desk/pages/", [`${desk}run-figures\\.ts$`, widget]),
    only("conformance", conformance, [protocol]),
    only("ai-sdk", aiSdk, [protocol]),
    only("knowledge", knowledge, [`${server}(index|words/terms)\\.ts$`, "^packages/knowledge/package\\.json$"]),
    only("server-routes", `${server}routes/`, [
      `${server}services/`,
      `${server}http/`,
      `${server}chat-error\\.ts$`,
      protocol,
    ]),
    only("server-services", `${server}services/`, [
      `${server}storage/(storage|search|usage|awaited-calls|unanswered|webhooks|desk)\\.ts$`,
      `${server}words/`,
      `${server}model/(model|run-visitor)\\.ts$`,
      `${server}chat-error\\.ts$`,
      `${server}(history-window|data-url|question-language|no-answer-texts|clean-text|event-loop-turns|knowledge|tool-origin|tool-files)\\.ts$`,
      protocol,
    ]),
    only("server-words", `${server}words/`, []),
    only("server-http", `${server}http/`, [
      `${server}services/`,
      `${server}storage/storage\\.ts$`,
      `${server}(chat-error|visitor-token-type)\\.ts$`,
      protocol,
    ]),
    only("server-model", `${server}model/`, [
      `${server}(history-window|data-url|knowledge|question-language|no-answer-texts|visitor-token-type|tool-files)\\.ts$`,
      protocol,
    ]),
    only("server-webhooks", `${server}webhooks/`, [`${server}services/webhooks/delivery\\.ts$`]),
    only("server-storage", `${server}storage/`, [`${server}(clean-text|event-loop-turns|tool-origin)\\.ts$`, protocol]),
    confine("ai-in-model", ["ai", "@ai-sdk"], [`${server}model/`, demoModel, aiSdk]),
    confine("schema-validator-in-model", ["@cfworker/json-schema"], [`${server}model/`]),
    confine("opentelemetry-in-trace", ["@opentelemetry"], [`${server}model/trace/`]),
    confine("kysely-in-storage", ["kysely"], [`${server}storage/`]),
    confine("stemmers-in-words", ["@orama/stemmers"], [`${server}words/`]),
    confine("sql-in-storage", ["pg"], [`${server}storage/`, `${knowledge}store/`]),
    confine("document-parsers-in-content", ["parse5", "unpdf"], [`${knowledge}reading/content/`]),
    confine("s3-in-files", ["aws4fetch"], [`${server}storage/files/`]),
    confine("signatures-in-webhooks", ["standardwebhooks"], [`${server}webhooks/`]),
    confine("forms-in-http", ["@fastify/busboy"], [`${server}http/`]),
    confine("hono-in-apps", ["hono", "@hono"], ["^apps/"]),

    {
      name: "puppeteer-in-engines",
      severity: "error",
      from: { path: "^(packages|apps|tests|bench|examples)/", pathNot: "^tests/engines/" },
      to: { path: "node_modules/puppeteer-core/" },
    },
    {
      name: "packages-by-name",
      comment: "apps, tests, bench and examples know packages by their public names",
      severity: "error",
      from: { path: "^(apps|tests|bench|examples)/" },
      to: { path: "^packages/", dependencyTypes: ["local"] },
    },
    {
      name: "beside-the-server-by-name",
      comment:
        "the desk, conformance, knowledge and ai-sdk, their tests and pages know the other packages by their public names",
      severity: "error",
      from: { path: "^packages/(desk|conformance|knowledge|ai-sdk)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // By their full paths: a pattern for any `dist/` would also leave out the packages that live in one. The pages of the
    // peers import packages of a lockfile of their own, which only the benchmark installs.
    exclude: {
      path: "^(packages/widget/dist(-loud)?|packages/protocol/fixtures|tests/test-results|bench/peers/apps)/",
    },
    parser: "swc",
    tsConfig: { fileName: "packages/widget/tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
      extensions: [".ts", ".tsx", ".js", ".mjs"],
    },
  },
};
