import { createContext, use, useEffect, useMemo, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { loadChunk } from "../../load-chunk.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { MarkdownProps } from "./document-view.tsx";

interface LazyView {
  /** `undefined` until it has loaded. */
  readonly DocumentView: ComponentType<MarkdownProps> | undefined;
  /** Loads it, also after a load that failed. */
  readonly load: () => void;
}

const LazyViewContext = createContext<LazyView>({ DocumentView: undefined, load: () => undefined });

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
  const { value, error, retry } = useLoaded(isWanted || isConversationOpen ? loadView : undefined);
  useEffect(() => {
    if (error)
      reportError(new Error("Markdown could not be loaded: answers are shown as plain text.", { cause: error }));
  }, [error, reportError]);
  const DocumentView = value?.DocumentView;
  const lazyView = useMemo<LazyView>(() => {
    const load = () => {
      setWanted(true);
      retry();
    };
    return { DocumentView, load };
  }, [DocumentView, retry]);
  return <LazyViewContext value={lazyView}>{children}</LazyViewContext>;
}
