import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { MarkdownProps } from "./document-view.tsx";

interface LazyView {
  /** `undefined` until it has loaded. */
  readonly DocumentView: ComponentType<MarkdownProps> | undefined;
  /** It is loading: neither there nor failed. */
  readonly isLoading: boolean;
  /** Loads it, also after a load that failed. */
  readonly load: () => void;
}

const LazyViewContext = createContext<LazyView>({
  DocumentView: undefined,
  isLoading: false,
  load: () => undefined,
});

const loadView = loadChunk(() => import("./document-view.tsx"));

export function useDocumentView(): LazyView {
  return use(LazyViewContext);
}

/** Gives all texts the markdown parser and its view, which load with the first conversation, not with the page. */
export function MarkdownProvider({ children }: { readonly children: ReactNode }) {
  const { reportError } = useChat();
  const [isWanted, setWanted] = useState(false);
  const isConversationOpen = useChatState((state) =>
    Object.values(state.conversations).some(({ load, messages }) => load.status === "loading" || messages.length > 0),
  );
  const isNeeded = isWanted || isConversationOpen;
  const { value, error, retry } = useLoaded(isNeeded ? loadView : undefined);
  const isFailureTold = useRef(false);
  useEffect(() => {
    isFailureTold.current = error !== undefined;
    if (error)
      reportError(new Error("Markdown could not be loaded: answers are shown as plain text.", { cause: error }));
  }, [error, reportError]);
  const load = useCallback(() => {
    setWanted(true);
    // Texts that have waited for a load that failed are mounted with its failure, and do not try again at once.
    if (isFailureTold.current) retry();
  }, [retry]);
  const lazyView = useMemo<LazyView>(
    () => ({ DocumentView: value?.DocumentView, isLoading: isNeeded && !value && !error, load }),
    [value, isNeeded, error, load],
  );
  return <LazyViewContext value={lazyView}>{children}</LazyViewContext>;
}
