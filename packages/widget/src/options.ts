import type { Message, MessageStatus } from "@nitka/protocol";
import type { NitkaTools } from "./actions/tools/page-offer.ts";
import { chooseLocale, pageLanguages } from "./i18n/choose-locale.ts";
import type { NitkaWords } from "./i18n/nitka-words.ts";
import type { VisitorToken } from "./transport/credential.ts";
import type { NitkaRenderers } from "./ui/host-view/renderers.ts";

/** The options of a widget. All are optional. */
export interface NitkaOptions {
  /** Where the widget is rendered: a selector or an element. By default a new `div` at the end of `body`. */
  readonly target?: string | Element | null;
  /** @default "default" */
  readonly projectId?: string;
  /** The backend's URL, absolute or relative to the page. By default the origin of the script. */
  readonly proxyUrl?: string;
  /**
   * The base URL of all requests except the config's, relative to the page. By default the one in the config, otherwise `/`.
   */
  readonly apiBase?: string;
  /** Callbacks by event name. The widget does not catch what a callback throws: it is an error of the page. */
  readonly on?: NitkaCallbacks;
  /** How the address bar names the open thread. By default `path` for the inline layout and `none` for the launcher. */
  readonly routing?: "path" | "hash" | "none";
  /** The prefix of `/c/{threadId}` in the address. */
  readonly basePath?: string;
  /** `inline` fills the target, `launcher` is a floating button that opens a panel. */
  readonly layout?: "inline" | "launcher";
  /**
   * The language of the interface, a BCP 47 tag such as `ru` or `de-AT`. A text is English if neither the widget nor `words`
   * has it in this language. Dates and speech use this language, and the browser's region if the tag names none. `auto` picks
   * the first language that the widget supports: the page's (`<html lang>`), then the browser's, then `ru`. @default "ru"
   */
  readonly locale?: string;
  /**
   * Where a link in an answer opens if it points to the page's own origin: in a new tab, or in the page's tab. @default "blank"
   */
  readonly linkTarget?: "blank" | "self";
  /** Texts that replace single texts of the locale. A change restarts the widget. */
  readonly words?: NitkaWords;
  /** `auto` follows the system. `setColorScheme` changes the scheme without a restart. @default "auto" */
  readonly colorScheme?: ColorScheme;
  /**
   * A token, signed by the host, that names its visitor; or a function that returns one. The function is called at the start,
   * and again when its token is refused. The token may be replaced at any time: one of the same visitor changes nothing else,
   * and one of another visitor restarts the widget with that visitor's threads.
   */
  readonly visitorToken?: VisitorToken;
  /**
   * Any text that identifies the signed-in visitor to the host. When it changes, a function in `visitorToken` is called at
   * once. It is never sent.
   */
  readonly visitorId?: string;
  /** Functions of the page that the model may call, at most 32. They may be changed at any time. */
  readonly tools?: NitkaTools;
  /**
   * What the page shows, as information for the model: JSON of at most 16,000 characters, or a function that returns it or a
   * promise of it. It is read with each question and may be changed at any time.
   */
  readonly pageContext?: unknown;
  /** The host's own views of tool calls, of its own content and of code. They may be changed at any time. */
  readonly renderers?: NitkaRenderers;
}

/** `auto` follows the system. */
export type ColorScheme = "light" | "dark" | "auto";

/**
 * The arguments of the host's callbacks by event name. The element also dispatches each event as `nitka-…`, with the argument
 * as `detail`.
 */
export interface NitkaEvents {
  /** Once, after the first render. */
  readonly ready: NitkaHandle;
  /** A part of the widget has failed. The error is also in the page's console. */
  readonly error: Error;
  /** Another thread has been opened. */
  readonly threadchange: { readonly threadId: string };
  /** The backend has confirmed a question, or an answer has ended. */
  readonly message: { readonly threadId: string; readonly message: Message };
  /** The launcher's panel has opened. */
  readonly open: Readonly<Record<never, never>>;
  /** The launcher's panel has closed. */
  readonly close: Readonly<Record<never, never>>;
  /** A run begins. `messageId` is the question's id. */
  readonly runstart: { readonly threadId: string; readonly messageId: string };
  /** A run has ended. `messageId` is the answer's id. */
  readonly runend: { readonly threadId: string; readonly messageId: string; readonly status: MessageStatus };
  /** The model has called a tool, and the arguments are complete. */
  readonly toolcall: {
    readonly threadId: string;
    readonly messageId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: unknown;
  };
  /** The visitor has rated an answer, or withdrawn the rating (`null`), and the backend has stored that. */
  readonly feedback: {
    readonly threadId: string;
    readonly messageId: string;
    readonly rating: "up" | "down" | null;
    readonly reason?: string;
  };
}

export type NitkaCallbacks = { readonly [E in keyof NitkaEvents]?: (detail: NitkaEvents[E]) => void };

/** The element's events by name. They bubble. */
export type NitkaElementEvents = {
  readonly [E in keyof NitkaEvents as `nitka-${E}`]: CustomEvent<NitkaEvents[E]>;
} & {
  /** The visitor has clicked a link in the conversation. `preventDefault` stops the browser from following it. */
  readonly "nitka-linkclick": CustomEvent<{ readonly href: string }>;
};

/** A question that the backend has confirmed. */
export interface SentQuestion {
  readonly threadId: string;
  readonly messageId: string;
}

/** The options of `send`. */
export interface SendOptions {
  /** Files to send with the text, within the project's limits. */
  readonly files?: readonly File[];
  /** The thread to send to, which is not opened. By default the open thread. */
  readonly threadId?: string;
}

/**
 * The host's commands. They may be called before the widget is ready. They start in the order of the calls, and each uses the
 * thread that is open when it starts. A command that fails rejects with the reason; after `destroy` every command rejects. A
 * rejection that the host does not handle causes no `unhandledrejection` event.
 */
export interface NitkaCommands {
  /**
   * Sends a text. It waits until the thread's messages are loaded, no run is active there and earlier texts for that thread are
   * sent. Other commands do not wait for it. Resolves when the backend has confirmed the question.
   */
  send(text: string, options?: SendOptions): Promise<SentQuestion>;
  /** Creates a thread and opens it. */
  newThread(): Promise<{ readonly threadId: string }>;
  /** Opens one of the visitor's threads. */
  selectThread(threadId: string): Promise<void>;
  /** Stops the run of the open thread. Resolves at once if no run is active. */
  stop(): Promise<void>;
  /** Opens the launcher's panel. */
  open(): Promise<void>;
  /** Closes the launcher's panel. */
  close(): Promise<void>;
  /** Focuses the composer. Opens the launcher's panel first if it is closed. */
  focus(): Promise<void>;
  /** Replaces the text in the composer of the open thread. */
  setDraft(text: string): Promise<void>;
  /**
   * Shows a text beside the button of a closed launcher, and a mark on the button until the panel is opened. Rejects if the
   * layout is not a launcher.
   */
  notify(text: string): Promise<void>;
  /**
   * Erases all threads, files and drafts of the visitor, in the browser and on the backend, and restarts the widget. Rejects if
   * the backend does not support it.
   */
  eraseVisitor(): Promise<void>;
}

/** A widget on the page. */
export interface NitkaHandle extends NitkaCommands {
  /** The `<nitka-chat>` element. */
  readonly element: HTMLElement;
  /** Resolves after the first render. Rejects if the widget cannot start or is destroyed before. */
  readonly ready: Promise<void>;
  /** Changes the colour scheme at once, without a restart. */
  setColorScheme(colorScheme: ColorScheme): void;
  /** Removes the widget, its listeners, timers and styles, and aborts its requests. */
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

/** The URLs against which options are resolved. */
export interface OptionsContext {
  readonly scriptUrl: string;
  readonly pageUrl: string;
}

/**
 * Validates options and fills in defaults. `init` reads `target` itself.
 *
 * @throws TypeError that names the first invalid option
 */
export function readOptions(options: unknown, { scriptUrl, pageUrl }: OptionsContext): WidgetOptions {
  if (Object(options) !== options) throw wrong("options", "an object", options);
  const given: Readonly<Record<string, unknown>> = { ...(options as object) };
  // Templates write an empty attribute for a missing value.
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
    // tools/page-offer.ts, which is not in the loader, checks the fields of each tool.
    tools: object("tools", "an object") as NitkaTools | undefined,
    // The code with the locale's words, which is not in the loader, checks the keys.
    words: object("words", "a string or a function"),
    // The code that calls the renderers checks their names.
    renderers: object("renderers", "a function") as NitkaRenderers | undefined,
  };
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Reads an option and checks its type. `undefined` and `null` count as missing, because templates produce them.
 *
 * @param expected the error's words for the allowed values; they include the allowed types, as `typeof` names them, or the
 * values in quotes
 * @param holder the prefix of the name in the error
 */
function kindOf(given: Given, name: string, expected: string, holder = ""): unknown {
  const value = given[name] ?? undefined;
  if (value !== undefined && !expected.includes(typeof value) && !expected.includes(JSON.stringify(value)))
    throw wrong(holder + name, expected, value);
  return value;
}

function urlOf(url: string, pageUrl: string, name: string): string {
  try {
    // Not `URL.canParse`: unsupported browsers lack it, and they read the options too.
    const resolved = new URL(url, pageUrl);
    if (/^https?:$/.test(resolved.protocol)) return resolved.href;
  } catch {
    // The text is not a URL.
  }
  throw wrong(name, "an http or https URL", url);
}

function basePathOf(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  // Percent-encoded, like `location.pathname`.
  return trimmed && new URL(`/${trimmed}`, "http://x").pathname;
}

/** The error for an invalid option. */
export function wrong(name: string, expected: string, value: unknown): TypeError {
  const shown = typeof value === "string" ? `"${value}"` : String(value);
  return new TypeError(`Nitka: ${name} must be ${expected}, not ${shown}.`);
}
