import type { Part, PartType } from "@nitka/protocol";
import { createContext, createElement, use, useRef, useSyncExternalStore } from "react";
import type { ComponentType, ReactNode, RefObject } from "react";
import type { Actions } from "../actions/actions.ts";
import type { Locale } from "../i18n/choose-locale.ts";
import type { placePopover } from "./primitives/place-popover.ts";
import type { Words } from "../i18n/locales/ru.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Everything that the view gets: the state to show, the actions, and the parts of the browser that it may use. */
export interface Chat {
  readonly store: Pick<Store<ChatState>, "get" | "subscribe">;
  readonly actions: Actions;
  readonly words: Words;
  readonly locale: Locale;
  /** The language tag for dates and speech, with a region if the browser names one. The words are those of the locale. */
  readonly language: string;
  readonly layout: "inline" | "launcher";
  /** The product's address if the config names none: `/` on the proxy's origin. */
  readonly productUrl: string;
  /** Whether Enter breaks the line: on iPhone, iPad and iPod. */
  readonly enterBreaksLine: boolean;
  /** Resolves the `url` of an attachment or a part, which may be relative to the api base, to an absolute address. */
  readonly resolveUrl: (url: string) => string;
  /**
   * Set if files need the visitor's token. Fetches the file at an address of the API and returns a blob URL, valid until
   * `signal` aborts.
   */
  readonly loadFile?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Links the stylesheets of answers once. Resolves when they have loaded or take too long. */
  readonly styleAnswers: () => Promise<unknown>;
  /** Resolves when the code of tooltips and popovers has loaded. No visitor needs it before the first view. */
  readonly afterView: Promise<{
    readonly startTooltips: (popover: HTMLElement) => Tooltips;
    readonly placePopover: typeof placePopover;
    readonly placeSheet: (sheet: HTMLElement) => void;
  }>;
  /** Copies a text, together with the answer around the button as HTML, or with the given HTML. Rejects if that fails. */
  readonly copyFor: (button: Element, text: string, html?: string) => Promise<void>;
  /** Reports an internal error to the console and the host's `on.error`. */
  readonly reportError: (error: unknown) => void;
  /** The views of the host's renderers. The object is empty until their code has loaded. */
  readonly hostViews: Pick<Store<HostViews>, "get" | "subscribe">;
  /** Aborts when the widget ends. */
  readonly signal: AbortSignal;
}

/** Shows the names of controls that have only an icon; see ui/primitives/tooltips.tsx. */
export interface Tooltips {
  /** Shows a text beside an element at once, for the given time, in place of any tooltip. */
  readonly flash: (anchor: Element, text: string, durationMs: number) => void;
  readonly stop: () => void;
}

/** The host's own views by the content that they show, such as `tool:show_order`; see ui/host-view. */
export interface HostViews {
  readonly [name: string]: ComponentType<HostViewProps> | undefined;
}

export interface HostViewProps {
  readonly part: ShownPart;
  /** The widget's own view, which is shown if the host's fails. */
  readonly children: ReactNode;
}

/** The parts of one type. */
export type PartOf<T extends PartType> = Extract<Part, { readonly type: T }>;

/**
 * A part that a host's view may show. `closed` says whether a block of code is complete; it is absent if only the answer's end
 * decides that.
 */
export type ShownPart =
  | PartOf<"tool-call" | "data">
  | {
      readonly type: "code";
      readonly language: string;
      readonly pieces: readonly string[];
      readonly closed: boolean | undefined;
    };

const ChatContext = createContext<Chat | undefined>(undefined);

export function ChatProvider({ chat, children }: { readonly chat: Chat; readonly children: ReactNode }) {
  return <ChatContext value={chat}>{children}</ChatContext>;
}

/** The place of a part. */
export interface MessagePlace {
  readonly threadId: string;
  readonly messageId: string;
  /** Whether the message is an answer that is being written. */
  readonly running: boolean;
  /** The tools of a complete table, once their code has loaded. */
  readonly TableTools?: ComponentType<{ readonly frame: RefObject<HTMLElement | null> }> | undefined;
}

/** The message around a part. */
export const MessagePlaceContext = createContext<MessagePlace>({ threadId: "", messageId: "", running: false });

export function useChat(): Chat {
  const chat = use(ChatContext);
  if (!chat) throw new Error("useChat needs a ChatProvider.");
  return chat;
}

/**
 * Selects from the state. The component renders again only if the selected value changes.
 *
 * @param isEqual whether two values count as the same; by default `Object.is`
 *
 * @example const running = useChatState((state) => state.conversations[threadId]?.run !== undefined);
 */
export function useChatState<T>(
  select: (state: ChatState) => T,
  isEqual: (before: T, after: T) => boolean = Object.is,
): T {
  const { store } = useChat();
  const last = useRef<{ readonly value: T } | undefined>(undefined);
  return useSyncExternalStore(store.subscribe, () => {
    const value = select(store.get());
    if (last.current && isEqual(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  });
}

/** Compares lists by their items, for selectors that create a new list each time. */
export function sameItems(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((item, index) => item === after[index]);
}

/**
 * A part in the host's view if the host has a renderer of this name, otherwise in the widget's own.
 *
 * @param children the widget's own view
 */
export function HostViewOr({ name, ...props }: { readonly name: string } & HostViewProps) {
  const { hostViews } = useChat();
  const view = useSyncExternalStore(hostViews.subscribe, () => hostViews.get()[name]);
  return view ? createElement(view, props) : props.children;
}
