import { createContext, use, useRef, useSyncExternalStore } from "react";
import type { ReactNode } from "react";
import type { Actions } from "../actions/actions.ts";
import type { Locale } from "../i18n/locales.ts";
import type { Words } from "../i18n/locales/ru.ts";
import type { Store } from "../store/create-store.ts";
import type { ChatState } from "../store/state.ts";

/** Everything that the view is given: the state to show, what can be done, and what of the world it may touch. */
export interface Chat {
  readonly store: Pick<Store<ChatState>, "get" | "subscribe">;
  readonly actions: Actions;
  readonly words: Words;
  readonly locale: Locale;
  readonly layout: "inline" | "launcher";
  /** The product link where the config names none: `/` beside the proxy URL. */
  readonly productUrl: string;
  /** On these devices (iPhone, iPad, iPod) Enter makes a new line. */
  readonly enterBreaksLine: boolean;
  /** The address to show an attachment's or part's relative `url` from. */
  readonly resolveUrl: (url: string) => string;
  /** The file behind an address of ours, until the signal: there when the visitor's credential is no cookie. */
  readonly loadFile?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Fetches the styles of answers, once; resolves when an answer can be shown in them. */
  readonly styleAnswers: () => Promise<void>;
  /** Rejects when the text could not be copied. */
  readonly copyText: (text: string) => Promise<void>;
  /** Where internal errors go: the console and the host's `on.error`. */
  readonly reportError: (error: unknown) => void;
}

const ChatContext = createContext<Chat | undefined>(undefined);

export function ChatProvider({ chat, children }: { readonly chat: Chat; readonly children: ReactNode }) {
  return <ChatContext value={chat}>{children}</ChatContext>;
}

export function useChat(): Chat {
  const chat = use(ChatContext);
  if (!chat) throw new Error("useChat needs a ChatProvider around it.");
  return chat;
}

/**
 * A piece of the state. The component renders again only when the piece is another one.
 *
 * @param isEqual tells whether two pieces show the same; `Object.is` unless given
 *
 * @example const running = useChatState((state) => state.conversations[threadId]?.run !== undefined);
 */
export function useChatState<T>(
  select: (state: ChatState) => T,
  isEqual: (before: T, after: T) => boolean = Object.is,
): T {
  const { store } = useChat();
  const last = useRef<{ readonly piece: T } | undefined>(undefined);
  return useSyncExternalStore(store.subscribe, () => {
    const piece = select(store.get());
    if (last.current && isEqual(last.current.piece, piece)) return last.current.piece;
    last.current = { piece };
    return piece;
  });
}
