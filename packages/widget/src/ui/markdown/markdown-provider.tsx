import { createContext, use, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { MarkdownProps } from "./document-view.tsx";

interface LazyView {
  /** `undefined` until its code has loaded. */
  readonly DocumentView: ComponentType<MarkdownProps> | undefined;
  /** Whether the code is loading: it has neither loaded nor failed. */
  readonly isLoading: boolean;
  /** Loads the code, again after a failure. */
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

/** Provides the markdown parser and its view to all texts. They load with the first conversation, not with the page. */
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
    // Texts that waited for a load that failed are mounted with its failure and do not retry at once.
    if (isFailureTold.current) retry();
  }, [retry]);
  const lazyView = useMemo<LazyView>(
    () => ({ DocumentView: value?.DocumentView, isLoading: isNeeded && !value && !error, load }),
    [value, isNeeded, error, load],
  );
  return <LazyViewContext value={lazyView}>{children}</LazyViewContext>;
}
