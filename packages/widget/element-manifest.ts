import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { attributeNames, optionOf } from "./src/element/element-options.ts";
import type { ElementOptions } from "./src/element/element-options.ts";
import { TAG } from "./src/element/define-element.ts";
import type { NitkaElementEvents } from "./src/options.ts";

interface Described {
  readonly type: string;
  readonly default?: string;
  readonly description: string;
}

const OPTIONS: { readonly [K in keyof Required<ElementOptions>]: Described } = {
  projectId: { type: "string", default: '"default"', description: "The project whose settings the chat uses." },
  proxyUrl: {
    type: "string",
    description:
      "The backend's address: absolute, or relative to the page. By default the script's origin; with the npm package, the page's.",
  },
  apiBase: {
    type: "string",
    description: "Base of the calls, relative to the page. By default what the config says, else `/`.",
  },
  routing: {
    type: '"path" | "hash" | "none"',
    description: "How the address names the open thread: `path` unless the widget is a launcher.",
  },
  basePath: { type: "string", default: '""', description: "What stands before `/c/{threadId}` in the address." },
  layout: {
    type: '"inline" | "launcher"',
    default: '"inline"',
    description: "`inline` fills the element's place, `launcher` is a floating button that opens a panel.",
  },
  locale: {
    type: "string",
    default: '"ru"',
    description:
      "The interface's language, a BCP 47 tag; a language without texts gets English. `auto` is the page's (`<html lang>`), else the browser's, else `ru`.",
  },
  linkTarget: {
    type: '"blank" | "self"',
    default: '"blank"',
    description: "Where links of answers to the page's own origin open.",
  },
  colorScheme: { type: '"light" | "dark" | "auto"', default: '"auto"', description: "The colour scheme." },
  visitorToken: {
    type: "string | (() => string | Promise<string>)",
    description: "A token, signed by the host, that names its visitor, or a function that gives one.",
  },
  visitorId: {
    type: "string",
    description:
      "Who is signed in, as the host names them. When it changes, a function in visitorToken is called at once.",
  },
  on: { type: "NitkaCallbacks", description: "Callbacks by the names of the events." },
  words: { type: "NitkaWords", description: "Texts of the interface that replace the locale's, one by one." },
  tools: { type: "NitkaTools", description: "Functions of the page that the model may call." },
  pageContext: {
    type: "unknown",
    description: "What the page shows, for the model: JSON, or a function that gives it.",
  },
  renderers: {
    type: "NitkaRenderers",
    description: "The host's own views of tool calls, of its own content and of code.",
  },
};

const EVENTS: { readonly [E in keyof NitkaElementEvents]: Described } = {
  "nitka-ready": { type: "CustomEvent<NitkaHandle>", description: "After the first render, once." },
  "nitka-error": { type: "CustomEvent<Error>", description: "An error of the widget." },
  "nitka-threadchange": { type: "CustomEvent<{ threadId: string }>", description: "Another thread is open." },
  "nitka-message": {
    type: "CustomEvent<{ threadId: string; message: Message }>",
    description: "A question was sent, or an answer has ended.",
  },
  "nitka-open": { type: "CustomEvent<{}>", description: "The launcher's panel has opened." },
  "nitka-close": { type: "CustomEvent<{}>", description: "The launcher's panel has closed." },
  "nitka-runstart": {
    type: "CustomEvent<{ threadId: string; messageId: string }>",
    description: "An answer begins. The id is the question's.",
  },
  "nitka-runend": {
    type: "CustomEvent<{ threadId: string; messageId: string; status: MessageStatus }>",
    description: "The answer has ended. The id is the answer's.",
  },
  "nitka-toolcall": {
    type: "CustomEvent<{ threadId: string; messageId: string; toolCallId: string; toolName: string; args: unknown }>",
    description: "The model calls a tool, and its arguments are complete.",
  },
  "nitka-feedback": {
    type: 'CustomEvent<{ threadId: string; messageId: string; rating: "up" | "down" | null; reason?: string }>',
    description: "The visitor has rated an answer, or removed the rating.",
  },
  "nitka-linkclick": {
    type: "CustomEvent<{ href: string }>",
    description:
      "The visitor has clicked a link of the conversation. `preventDefault` keeps the browser from following it.",
  },
};

/** The parts that a page's stylesheet can style with `::part()`. A test compares them with those in the sources. */
export const PARTS: Readonly<Record<string, string>> = {
  shell: "All of the widget.",
  sidebar: "The list of threads.",
  header: "The line above the conversation.",
  chat: "The conversation with its header and its composer.",
  thread: "The messages.",
  composer: "Where the visitor writes.",
  launcher: "The launcher's button.",
  panel: "The launcher's window.",
  notice: "The text beside a closed launcher's button.",
};

/**
 * The description of `<nitka-chat>` that editors show in markup: the content of `custom-elements.json`, in the format of the
 * custom-elements manifest (https://github.com/webcomponents/custom-elements-manifest).
 */
export async function elementManifest(): Promise<object> {
  const tokens = await readFile(join(import.meta.dirname, "src/styles/tokens.css"), "utf8");
  const properties = [...new Set(tokens.match(/--nitka-[a-z0-9-]+(?=:)/g))].toSorted();
  const described = (name: string, { type, default: value, description }: Described) => ({
    name,
    type: { text: type },
    ...(value !== undefined && { default: value }),
    description,
  });
  return {
    schemaVersion: "1.0.0",
    modules: [
      {
        kind: "javascript-module",
        path: "esm/index.js",
        exports: [
          {
            kind: "custom-element-definition",
            name: TAG,
            declaration: { name: "NitkaElement", module: "esm/index.js" },
          },
        ],
        declarations: [
          {
            kind: "class",
            customElement: true,
            name: "NitkaElement",
            tagName: TAG,
            description: "Nitka's chat. Its options are properties; those that are texts are also attributes.",
            superclass: { name: "HTMLElement" },
            attributes: attributeNames.map((name) => {
              const option = optionOf(name);
              if (option === undefined) throw new Error(`No option belongs to the attribute ${name}.`);
              return Object.assign(described(name, OPTIONS[option]), { fieldName: option });
            }),
            members: [
              { kind: "field", name: "handle", readonly: true, type: { text: "NitkaHandle" } },
              ...Object.entries(OPTIONS).map(([name, option]) =>
                Object.assign(described(name, option), { kind: "field" }),
              ),
            ],
            events: Object.entries(EVENTS).map(([name, event]) => described(name, event)),
            cssParts: Object.entries(PARTS).map(([name, description]) => ({ name, description })),
            cssProperties: properties.map((name) => ({ name })),
          },
        ],
      },
    ],
  };
}
