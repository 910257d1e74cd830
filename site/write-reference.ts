/** The reference: typedoc writes a file for each entry of the packages, and this one puts them together to pages. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { elementManifest } from "../packages/widget/element-manifest.ts";
import { headingAnchor } from "../scripts/heading-anchor.mjs";

interface ReferencePage {
  readonly name: string;
  readonly title: string;
  readonly introduction: string;
  /** What a reader looks for first; the other names follow in the order of the sources. */
  readonly first?: readonly string[];
  /** The files of typedoc, by the import that each describes. */
  readonly entries: Readonly<Record<string, string>>;
}

const pages: readonly ReferencePage[] = [
  {
    name: "widget",
    title: "@nitka/widget",
    introduction:
      "The chat on a page. [Embedding](../embedding.md) explains it by use; [the element](element.md) lists attributes, parts " +
      "and custom properties.",
    first: ["init", "define", "NitkaOptions", "NitkaHandle", "NitkaCommands", "NitkaEvents", "NitkaCallbacks"],
    entries: { "@nitka/widget": "widget/src.md" },
  },
  {
    name: "react",
    title: "@nitka/widget/react",
    introduction: "The chat as a component of React 18 and 19 ([embedding](../embedding.md#react)).",
    first: ["NitkaChat"],
    entries: { "@nitka/widget/react": "widget/src/package/react.md" },
  },
  {
    name: "server",
    title: "@nitka/server",
    introduction:
      "The server as a library: a `fetch` and a `close` ([the server as a library](../library.md)). Storages and models are " +
      "[entries of their own](storages-and-models.md).",
    first: ["createChatServer", "ChatServer", "ChatServerOptions", "Project", "Limits", "Model", "withFallback"],
    entries: { "@nitka/server": "server/src.md" },
  },
  {
    name: "storages-and-models",
    title: "Storages and models",
    introduction: "Each entry loads packages of its own, so that a server loads only what it uses.",
    entries: {
      "@nitka/server/sqlite": "server/src/sqlite.md",
      "@nitka/server/postgres": "server/src/storage/postgres.md",
      "@nitka/server/folder-files": "server/src/storage/files/folder-files.md",
      "@nitka/server/s3-files": "server/src/storage/files/s3-files.md",
      "@nitka/server/openai-compatible": "server/src/model/openai-compatible.md",
      "@nitka/server/anthropic": "server/src/model/anthropic.md",
      "@nitka/server/google": "server/src/model/google.md",
      "@nitka/server/ai-sdk": "server/src/ai-sdk.md",
      "@nitka/server/mcp": "server/src/mcp.md",
      "@nitka/server/embeddings": "server/src/embeddings.md",
    },
  },
  {
    name: "desk",
    title: "@nitka/desk",
    introduction: "The API of the operators' desk. [Operating](../operating.md#the-desk) shows what it is for.",
    entries: { "@nitka/desk": "desk/src.md" },
  },
  {
    name: "conformance",
    title: "@nitka/conformance",
    introduction:
      "`nitka conformance` as a library. [Your own backend](../own-backend.md#check-your-backend) shows what it finds.",
    entries: { "@nitka/conformance": "conformance/src.md" },
  },
  {
    name: "ai-sdk",
    title: "@nitka/ai-sdk",
    introduction:
      "Our server behind [`useChat`](../extending.md#usechat-in-place-of-the-widget) of the AI SDK, and our widget on [a route of " +
      "the AI SDK](../extending.md#the-widget-on-a-route-of-the-ai-sdk).",
    first: ["createNitkaTransport", "createNitkaRoutes", "ThreadStorage"],
    entries: {
      "@nitka/ai-sdk": "ai-sdk/src.md",
      "@nitka/ai-sdk/routes": "ai-sdk/src/routes.md",
      "@nitka/ai-sdk/storage-contract": "ai-sdk/src/thread-storage-contract.md",
    },
  },
  {
    name: "knowledge",
    title: "@nitka/knowledge",
    introduction: "Answers from a site's own pages.",
    entries: { "@nitka/knowledge": "knowledge/src.md" },
  },
  {
    name: "protocol",
    title: "@nitka/protocol",
    introduction: "The types of the wire. [Protocol](../protocol.md) says what is sent when.",
    first: ["ServerConfig", "Thread", "Message", "Part", "Attachment", "RunRequest", "StreamEvent"],
    entries: { "@nitka/protocol": "protocol/src.md" },
  },
];

/** @param folder where the pages go */
export async function writeReference(folder: string): Promise<void> {
  const written = mkdtempSync(join(tmpdir(), "nitka-reference-"));
  const typedoc = join(import.meta.dirname, "node_modules", "typedoc", "bin", "typedoc");
  const options = join(import.meta.dirname, "typedoc.json");
  const args = [typedoc, "--options", options, "--out", written, "--logLevel", "Error"];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  mkdirSync(folder, { recursive: true });
  for (const page of pages) writeFileSync(join(folder, `${page.name}.md`), pageOf(page, written));
  writeFileSync(join(folder, "element.md"), await elementPage());
  rmSync(written, { recursive: true });
}

function pageOf({ title, introduction, entries, first = [] }: ReferencePage, written: string): string {
  const alone = Object.keys(entries).length === 1;
  const sections = Object.entries(entries).map(([specifier, file]) => {
    const text = withOwnLinks(ownSections(readFileSync(join(written, file), "utf8"), first), file);
    // Names that stand below the heading of their entry are one level further down.
    return alone ? text : `## ${specifier}\n\n${text.replaceAll(/^#(?=#+ )/gm, "##")}`;
  });
  return ["---\noutline: 2\n---", `# ${title}`, introduction, ...sections].join("\n\n");
}

/** Without the sections that only say that a name of another entry can be imported here too. */
function ownSections(text: string, first: readonly string[]): string {
  const rank = (section: string) => {
    const at = first.indexOf(/## (\w+)/.exec(section)?.[1] ?? "");
    return at < 0 ? first.length : at;
  };
  return text
    .split("\n***\n")
    .filter((section) => !/^\s*## \w+\s+(Re-exports|Renames and re-exports) /.test(section))
    .toSorted((one, other) => rank(one) - rank(other))
    .join("\n")
    .replaceAll("| Property | Type | Description |", "| name | type | what |")
    .replaceAll(/^#+ (Properties|Type Declaration)\n/gm, "")
    .replaceAll(/ \| - \|$/gm, " | |");
}

/** Links between the files of typedoc, as links between these pages. */
function withOwnLinks(text: string, file: string): string {
  const pageByFile = new Map(pages.flatMap(({ name, entries }) => Object.values(entries).map((path) => [path, name])));
  return text.replaceAll(/\]\(([^)#:]*\.md)(#[^)]*)?\)/g, (_, target: string, anchor = "") => {
    const page = pageByFile.get(posix.join(posix.dirname(file), target));
    return page === undefined ? "]" : `](${page}.md${anchor})`;
  });
}

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: { readonly text: string };
}
interface Manifest {
  readonly modules: readonly [
    {
      readonly declarations: readonly [
        Readonly<Record<"attributes" | "events" | "cssParts" | "cssProperties", readonly Described[]>>,
      ];
    },
  ];
}

/** The element's page, out of the manifest that the package has for editors. */
async function elementPage(): Promise<string> {
  const { modules } = (await elementManifest()) as Manifest;
  const { attributes, events, cssParts, cssProperties } = modules[0].declarations[0];
  const table = (rows: readonly Described[], ...columns: readonly (keyof Described)[]) => {
    const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    const cellOf = (row: Described, column: keyof Described) => {
      const value = column === "type" ? row.type?.text : row[column];
      if (value === undefined) return "";
      return column === "description" ? value : `\`${value}\``;
    };
    return [
      line(columns),
      line(columns.map(() => "---")),
      ...rows.map((row) => line(columns.map((c) => cellOf(row, c)))),
    ]
      .join("\n")
      .replace("| description |", "| what |");
  };
  const tokens = readFileSync(join(import.meta.dirname, "../packages/widget/src/styles/tokens.css"), "utf8");
  const declared = cssProperties.map(({ name }) => {
    const [, value = ""] = new RegExp(`${name}:\\s*([^;]+);`).exec(tokens) ?? [];
    return { name, default: value.replaceAll(/\s+/g, " ").replaceAll(/\( | \)/g, (bracket) => bracket.trim()) };
  });
  return [
    "# The element",
    "`<nitka-chat>` in a page's markup. Its options are properties; those that are texts are also attributes.",
    "## Attributes",
    table(attributes, "name", "type", "default", "description"),
    "## Events",
    "They bubble.",
    table(events, "name", "type", "description"),
    "## Parts",
    "For a page's stylesheet, by `nitka-chat::part(header)`.",
    table(cssParts, "name", "description"),
    "## Custom properties",
    `[Theming](../theming.md#${headingAnchor("Properties")}) says what they are for.`,
    table(declared, "name", "default"),
  ].join("\n\n");
}
