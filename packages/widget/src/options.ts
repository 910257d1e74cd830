import type { Message, MessageStatus } from "@nitka/protocol";
import { chooseLocale, localeNames } from "./i18n/choose-locale.ts";
import type { Locale } from "./i18n/locales.ts";
import type { NitkaWords } from "./i18n/nitka-words.ts";
import type { VisitorToken } from "./transport/credential.ts";

/** What a host page may ask of a widget. Nothing is required. */
export interface NitkaOptions {
  /** Where the widget goes: a selector or an element; without one, a new `div` at the end of `body`. */
  readonly target?: string | Element | null;
  /** @default "default" */
  readonly projectId?: string;
  /** Where the backend is: absolute, or relative to the page. By default the origin of the script. */
  readonly proxyUrl?: string;
  /** Base of the API's calls, relative to the page. By default what the config says, else `/`. */
  readonly apiBase?: string;
  readonly on?: NitkaCallbacks;
  /** How the address names the open thread: `path` unless the widget is a launcher. */
  readonly routing?: "path" | "hash" | "none";
  /** What stands before `/c/{threadId}` in the address. */
  readonly basePath?: string;
  /** `inline` fills the target, `launcher` is a floating button that opens a panel. */
  readonly layout?: "inline" | "launcher";
  /** The interface's language. `auto` is the page's (`<html lang>`), else the browser's, else `ru`. @default "ru" */
  readonly locale?: Locale | "auto";
  /** Single texts of the interface in place of the locale's. Another object begins the widget anew. */
  readonly words?: NitkaWords;
  readonly colorScheme?: ColorScheme;
  /**
   * A token, signed by the host, which names its visitor; or a function that gives one, asked at the start and again when
   * its token is refused. Another token of the same visitor may be set at any time and changes nothing else.
   */
  readonly visitorToken?: VisitorToken;
}

export type ColorScheme = "light" | "dark" | "auto";

/** What the host page hears; each is also an event `nitka-…` on the element, with the same in `detail`. */
export interface NitkaEvents {
  readonly ready: NitkaHandle;
  readonly error: Error;
  readonly threadchange: { readonly threadId: string };
  readonly message: { readonly threadId: string; readonly message: Message };
  /** The launcher's panel. */
  readonly open: Readonly<Record<never, never>>;
  readonly close: Readonly<Record<never, never>>;
  /** An answer begins, to the question of this id. */
  readonly runstart: { readonly threadId: string; readonly messageId: string };
  /** It has ended; the id is the answer's. */
  readonly runend: { readonly threadId: string; readonly messageId: string; readonly status: MessageStatus };
  /** The model calls a tool; its arguments are whole. */
  readonly toolcall: {
    readonly threadId: string;
    readonly messageId: string;
    readonly toolCallId: string;
    readonly toolName: string;
    readonly args: unknown;
  };
}

export type NitkaCallbacks = { readonly [E in keyof NitkaEvents]?: (detail: NitkaEvents[E]) => void };

/** A question that the backend has heard. */
export interface SentQuestion {
  readonly threadId: string;
  readonly messageId: string;
}

export interface SendOptions {
  /** Files that go with the text, within the project's limits. */
  readonly files?: readonly File[];
  /** Another thread than the open one. It is not opened. */
  readonly threadId?: string;
}

/**
 * What a page may have done, also before the widget is ready. The commands begin in the order in which they are given,
 * each for the thread that is open when its turn comes. What cannot be done rejects with an Error that says why; once the
 * widget is destroyed everything does. Nobody need look at a rejection.
 */
export interface NitkaCommands {
  /**
   * Sends a text as soon as its thread's history is known and nothing runs there, after what was sent there before. Holds
   * up no other thread's command. Resolves when the backend has heard it.
   */
  send(text: string, options?: SendOptions): Promise<SentQuestion>;
  /** Makes a thread and opens it. */
  newThread(): Promise<{ readonly threadId: string }>;
  /** Opens a thread of the visitor's. */
  selectThread(threadId: string): Promise<void>;
  /** Stops the answer of the open thread, if there is one that goes on. */
  stop(): Promise<void>;
  /** Opens the launcher's panel. */
  open(): Promise<void>;
  /** Closes it. */
  close(): Promise<void>;
  /** Puts the caret into the composer; opens the launcher's panel for that. */
  focus(): Promise<void>;
  /** Writes into the composer of the open thread, in place of what is there. */
  setDraft(text: string): Promise<void>;
  /**
   * Says something beside the button of a launcher that is closed, and marks the button until it is opened. Rejects
   * where there is no launcher.
   */
  notify(text: string): Promise<void>;
  /**
   * Erases all that the visitor has said and sent, on the backend too, and begins anew. Rejects where the backend does
   * not offer it.
   */
  eraseVisitor(): Promise<void>;
}

/** One widget on the page. */
export interface NitkaHandle extends NitkaCommands {
  readonly element: HTMLElement;
  /** Resolves after the first render; rejects when the widget cannot start, or is destroyed before. */
  readonly ready: Promise<void>;
  setColorScheme(colorScheme: ColorScheme): void;
  /** Takes the widget away, and leaves nothing behind. */
  destroy(): void;
}

/** Options as the rest of the code has them: all there, all sound. */
export interface WidgetOptions extends Required<
  Pick<NitkaOptions, "projectId" | "proxyUrl" | "on" | "routing" | "basePath" | "layout" | "colorScheme">
> {
  readonly locale: Locale;
  readonly words?: NitkaWords | undefined;
  readonly apiBase?: string | undefined;
  readonly visitorToken?: VisitorToken | undefined;
}

/** What options are read against: where the script came from, and where it is used. */
export interface Surroundings {
  readonly scriptUrl: string;
  readonly pageUrl: string;
  /** What `locale: "auto"` chooses by, most wanted first. */
  readonly languages?: readonly string[];
}

/**
 * Checks options and fills in what is not given. `target` is for who places the widget.
 *
 * @throws TypeError that names the first option that is unusable
 */
export function readOptions(options: unknown, { scriptUrl, pageUrl, languages = [] }: Surroundings): WidgetOptions {
  if (typeof options !== "object" || options === null) throw wrong("options", "an object", options);
  const given: Readonly<Record<string, unknown>> = { ...options };
  const text = (name: string) => kindOf(given, name, ["string"], "a string") as string | undefined;
  const proxyUrl = urlOf(text("proxyUrl") ?? new URL(scriptUrl).origin, pageUrl, "proxyUrl");
  const apiBase = text("apiBase");
  if (apiBase !== undefined) urlOf(apiBase, pageUrl, "apiBase");
  const visitorToken = kindOf(
    given,
    "visitorToken",
    ["string", "function"],
    "a string or a function that gives one",
  ) as VisitorToken | undefined;
  const layout = choiceOf(given, "layout", ["inline", "launcher"]) ?? "inline";
  const locale = choiceOf(given, "locale", [...localeNames, "auto"]) ?? "ru";
  return {
    projectId: text("projectId") || "default",
    proxyUrl,
    on: callbacksOf(given),
    routing: choiceOf(given, "routing", ["path", "hash", "none"]) ?? (layout === "inline" ? "path" : "none"),
    basePath: basePathOf(text("basePath") ?? ""),
    layout,
    locale: locale === "auto" ? chooseLocale(languages) : locale,
    colorScheme: choiceOf(given, "colorScheme", ["light", "dark", "auto"]) ?? "auto",
    apiBase,
    visitorToken: visitorToken || undefined,
    // Its keys are checked where the locale's words are: the entry does not bring them along.
    words: kindOf(given, "words", ["object"], "an object of texts") as NitkaWords | undefined,
  };
}

type Given = Readonly<Record<string, unknown>>;

/** What is left out may also be `undefined` or `null`, as templates make it. */
function kindOf(given: Given, name: string, kinds: readonly string[], expected: string): unknown {
  const value = given[name] ?? undefined;
  if (value !== undefined && !kinds.includes(typeof value)) throw wrong(name, expected, value);
  return value;
}

function choiceOf<T extends string>(given: Given, name: string, choices: readonly T[]): T | undefined {
  const value = given[name] ?? undefined;
  if (value !== undefined && !choices.includes(value as T)) {
    throw wrong(name, choices.map((choice) => `"${choice}"`).join(" or "), value);
  }
  return value as T | undefined;
}

function urlOf(url: string, pageUrl: string, name: string): string {
  try {
    // Not by URL.canParse: options are read in browsers too that lack it, to be told so.
    const resolved = new URL(url, pageUrl);
    if (/^https?:$/.test(resolved.protocol)) return resolved.href;
  } catch {
    // It is no address at all.
  }
  throw wrong(name, "an http or https URL", url);
}

function basePathOf(path: string): string {
  const trimmed = path.replace(/^\/+|\/+$/g, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}

function callbacksOf(given: Given): NitkaCallbacks {
  const on = kindOf(given, "on", ["object"], "an object of functions") ?? {};
  for (const [name, callback] of Object.entries(on)) {
    if (callback != null && typeof callback !== "function") throw wrong(`on.${name}`, "a function", callback);
  }
  return on;
}

export function wrong(name: string, expected: string, value: unknown): TypeError {
  const shown = typeof value === "string" ? `"${value}"` : String(value);
  return new TypeError(`Nitka: ${name} must be ${expected}, not ${shown}.`);
}
