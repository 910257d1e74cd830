import type { Message, MessageStatus } from "@nitka/protocol";
import type { NitkaTools } from "./actions/tools/page-offer.ts";
import { chooseLocale, pageLanguages } from "./i18n/choose-locale.ts";
import type { NitkaWords } from "./i18n/nitka-words.ts";
import type { VisitorToken } from "./transport/credential.ts";
import type { NitkaRenderers } from "./ui/host-view/renderers.ts";

/** The options of a widget. All are optional. */
export interface NitkaOptions {
  /** Where the widget goes: a selector or an element; without one, a new `div` at the end of `body`. */
  readonly target?: string | Element | null;
  /** @default "default" */
  readonly projectId?: string;
  /** Where the backend is: absolute, or relative to the page. By default the origin of the script. */
  readonly proxyUrl?: string;
  /** The base of all requests but the config's, relative to the page. By default what the config says, else `/`. */
  readonly apiBase?: string;
  /** Callbacks by the names of the events. What one throws is the page's own error. */
  readonly on?: NitkaCallbacks;
  /** How the address names the open thread: `path` unless the widget is a launcher. */
  readonly routing?: "path" | "hash" | "none";
  /** The prefix of `/c/{threadId}` in the address. */
  readonly basePath?: string;
  /** `inline` fills the target, `launcher` is a floating button that opens a panel. */
  readonly layout?: "inline" | "launcher";
  /**
   * The interface's language, a BCP 47 tag such as `ru` or `de-AT`. Texts that neither the widget nor `words` has in it are
   * English; dates and speech follow it, in the browser's region where it names none. `auto` is the page's (`<html lang>`), else
   * the browser's, else `ru`, of those that the widget has. @default "ru"
   */
  readonly locale?: string;
  /** Where links of answers to the page's own origin open: in a new tab, or in the page's own. @default "blank" */
  readonly linkTarget?: "blank" | "self";
  /** Texts of the interface that replace the locale's, one by one. Other texts restart the widget. */
  readonly words?: NitkaWords;
  /** `auto` follows the system. `setColorScheme` changes it without a restart. @default "auto" */
  readonly colorScheme?: ColorScheme;
  /**
   * A token, signed by the host, that names its visitor; or a function that returns one. It is called at the start and
   * again when its token is refused. Another token of the same visitor may be set at any time and changes nothing else; one
   * of another visitor restarts the widget with that visitor's threads.
   */
  readonly visitorToken?: VisitorToken;
  /**
   * Who is signed in, as the host names them: any text. When it changes, a function in `visitorToken` is called at once. It is
   * sent nowhere.
   */
  readonly visitorId?: string;
  /** Functions of the page that the model may call, at most 32. They may be set at any time. */
  readonly tools?: NitkaTools;
  /**
   * What the page shows, for the model: JSON of at most 16,000 characters, or a function that gives it or a promise of it.
   * Read with each question. It may be set at any time.
   */
  readonly pageContext?: unknown;
  /** The host's own views of tool calls, of its own content and of code. They may be set at any time. */
  readonly renderers?: NitkaRenderers;
}

/** `auto` follows the browser. */
export type ColorScheme = "light" | "dark" | "auto";

/** The host's callbacks by name. Each is also an event `nitka-…` on the element, with the argument as `detail`. */
export interface NitkaEvents {
  /** After the first render, once. */
  readonly ready: NitkaHandle;
  /** Something of the widget did not work. The page's console has it too. */
  readonly error: Error;
  /** Another thread is open. */
  readonly threadchange: { readonly threadId: string };
  /** The backend has confirmed a question, or an answer has ended. */
  readonly message: { readonly threadId: string; readonly message: Message };
  /** The launcher's panel has opened. */
  readonly open: Readonly<Record<never, never>>;
  /** The launcher's panel has closed. */
  readonly close: Readonly<Record<never, never>>;
  /** A run begins. The id is the question's. */
  readonly runstart: { readonly threadId: string; readonly messageId: string };
  /** The run has ended. The id is the answer's. */
  readonly runend: { readonly threadId: string; readonly messageId: string; readonly status: MessageStatus };
  /** The model calls a tool, and its arguments are complete. */
  readonly toolcall: {
    readonly threadId: string;
    readonly messageId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: unknown;
  };
  /** The visitor has rated an answer, or taken the rating back: `null`. The backend has stored it. */
  readonly feedback: {
    readonly threadId: string;
    readonly messageId: string;
    readonly rating: "up" | "down" | null;
    readonly reason?: string;
  };
}

export type NitkaCallbacks = { readonly [E in keyof NitkaEvents]?: (detail: NitkaEvents[E]) => void };

/** The element's events. They bubble. */
export type NitkaElementEvents = {
  readonly [E in keyof NitkaEvents as `nitka-${E}`]: CustomEvent<NitkaEvents[E]>;
} & {
  /** The visitor has clicked a link of the conversation. `preventDefault` keeps the browser from following it. */
  readonly "nitka-linkclick": CustomEvent<{ readonly href: string }>;
};

/** A question that the backend has confirmed. */
export interface SentQuestion {
  readonly threadId: string;
  readonly messageId: string;
}

/** What `send` takes beside the text. */
export interface SendOptions {
  /** Files to send with the text. The project's limits apply. */
  readonly files?: readonly File[];
  /** Another thread than the open one. It is not opened. */
  readonly threadId?: string;
}

/**
 * The host's commands. They may be called before the widget is ready, and begin in the order of the calls, each for the
 * thread that is open at its turn. A command that cannot be done rejects with the reason; after `destroy` all do. A
 * rejection that is not handled causes no `unhandledrejection`.
 */
export interface NitkaCommands {
  /**
   * Sends a text as soon as its thread's messages are loaded and nothing runs there, after what was sent there before. The
   * wait does not delay other commands. Resolves when the backend has confirmed the question.
   */
  send(text: string, options?: SendOptions): Promise<SentQuestion>;
  /** Makes a thread and opens it. */
  newThread(): Promise<{ readonly threadId: string }>;
  /** Opens a thread of the visitor. */
  selectThread(threadId: string): Promise<void>;
  /** Stops the run of the open thread. Resolves at once where nothing runs. */
  stop(): Promise<void>;
  /** Opens the launcher's panel. */
  open(): Promise<void>;
  /** Closes the launcher's panel. */
  close(): Promise<void>;
  /** Focuses the composer. Opens the launcher's panel for that. */
  focus(): Promise<void>;
  /** Replaces the text in the composer of the open thread. */
  setDraft(text: string): Promise<void>;
  /**
   * Shows a text beside the button of a closed launcher, and a mark on it until it is opened. Rejects where there is no
   * launcher.
   */
  notify(text: string): Promise<void>;
  /**
   * Erases all threads, files and drafts of the visitor, on the backend too, and restarts the widget. Rejects where the
   * backend does not offer it.
   */
  eraseVisitor(): Promise<void>;
}

/** One widget on the page. */
export interface NitkaHandle extends NitkaCommands {
  /** The `<nitka-chat>`. */
  readonly element: HTMLElement;
  /** Resolves after the first render. Rejects when the widget cannot start or is destroyed before. */
  readonly ready: Promise<void>;
  /** Changes the colour scheme at once, without a restart. */
  setColorScheme(colorScheme: ColorScheme): void;
  /** Removes the widget with its listeners, timers, requests and styles. */
  destroy(): void;
}

/** Validated options, with defaults filled in. */
export interface WidgetOptions extends Required<
  Pick<NitkaOptions, "projectId" | "proxyUrl" | "on" | "routing" | "basePath" | "layout" | "colorScheme">
> {
  /** A BCP 47 tag. */
  readonly locale: string;
  readonly linkTarget: NitkaOptions["linkTarget"] | undefined;
  readonly words?: NitkaWords | undefined;
  readonly apiBase?: string | undefined;
  readonly visitorToken?: VisitorToken | undefined;
  readonly tools?: NitkaTools | undefined;
  readonly renderers?: NitkaRenderers | undefined;
}

/** What options are resolved against. */
export interface OptionsContext {
  readonly scriptUrl: string;
  readonly pageUrl: string;
}

/**
 * Validates options and fills in defaults. `init` reads `target` itself.
 *
 * @throws TypeError that names the first option that is wrong
 */
export function readOptions(options: unknown, { scriptUrl, pageUrl }: OptionsContext): WidgetOptions {
  if (Object(options) !== options) throw wrong("options", "an object", options);
  const given: Readonly<Record<string, unknown>> = { ...(options as object) };
  // Templates write an empty attribute where there is no value.
  const text = (name: string) => (kindOf(given, name, "a string") || undefined) as string | undefined;
  const choice = <T extends string>(name: string, choices: readonly T[]) =>
    kindOf(given, name, choices.map((each) => `"${each}"`).join(" or ")) as T | undefined;
  const object = (name: string, members: string) => {
    const held = kindOf(given, name, "an object") as Given | undefined;
    for (const member in held) kindOf(held, member, members, `${name}.`);
    return held;
  };
  const proxyUrl = urlOf(text("proxyUrl") ?? new URL(scriptUrl).origin, pageUrl, "proxyUrl");
  const apiBase = text("apiBase");
  if (apiBase) urlOf(apiBase, pageUrl, "apiBase");
  const visitorToken = kindOf(given, "visitorToken", "a string or a function") as VisitorToken | undefined;
  const layout = choice("layout", ["inline", "launcher"]) ?? "inline";
  const locale = text("locale") ?? "ru";
  return {
    projectId: text("projectId") ?? "default",
    proxyUrl,
    on: object("on", "a function") ?? {},
    routing: choice("routing", ["path", "hash", "none"]) ?? (layout === "inline" ? "path" : "none"),
    basePath: basePathOf(text("basePath") ?? ""),
    layout,
    locale: locale === "auto" ? chooseLocale(pageLanguages()) : locale,
    colorScheme: choice("colorScheme", ["light", "dark", "auto"]) ?? "auto",
    linkTarget: choice("linkTarget", ["blank", "self"]),
    apiBase,
    visitorToken: visitorToken || undefined,
    // The fields of each tool are checked by tools/page-offer.ts, which is not in the loader.
    tools: object("tools", "an object") as NitkaTools | undefined,
    // Their keys are checked beside the locale's words, which are not in the loader.
    words: object("words", "a string or a function"),
    // Their names are checked beside the code that calls them.
    renderers: object("renderers", "a function") as NitkaRenderers | undefined,
  };
}

type Given = Readonly<Record<string, unknown>>;

/**
 * An option may be `undefined` or `null`, as templates produce it: it counts as missing.
 *
 * @param expected words that include the types it may have, as `typeof` names them, or its values in quotes
 * @param holder what stands before the name in the error
 */
function kindOf(given: Given, name: string, expected: string, holder = ""): unknown {
  const value = given[name] ?? undefined;
  if (value !== undefined && !expected.includes(typeof value) && !expected.includes(JSON.stringify(value)))
    throw wrong(holder + name, expected, value);
  return value;
}

function urlOf(url: string, pageUrl: string, name: string): string {
  try {
    // Not by URL.canParse: unsupported browsers lack it, and read the options too.
    const resolved = new URL(url, pageUrl);
    if (/^https?:$/.test(resolved.protocol)) return resolved.href;
  } catch {
    // It is not a URL.
  }
  throw wrong(name, "an http or https URL", url);
}

function basePathOf(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  // As `location.pathname` has it: percent-encoded.
  return trimmed && new URL(`/${trimmed}`, "http://x").pathname;
}

/** The error for an option of a wrong kind. */
export function wrong(name: string, expected: string, value: unknown): TypeError {
  const shown = typeof value === "string" ? `"${value}"` : String(value);
  return new TypeError(`Nitka: ${name} must be ${expected}, not ${shown}.`);
}
