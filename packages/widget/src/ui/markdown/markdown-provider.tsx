import { createContext, use, useCallback, useEffect, useMemo, useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { useChat, useChatState } from "../chat-context.tsx";
import type { MarkdownProps } from "./document-view.tsx";

interface LazyView {
  /** `undefined` until it has loaded. */
  readonly DocumentView: ComponentType<MarkdownProps> | undefined;
  readonly load: () => void;
}

const LazyViewContext = createContext<LazyView>({ DocumentView: undefined, load: () => undefined });

export function useDocumentView(): LazyView {
  return use(LazyViewContext);
}

/** Holds the markdown parser and its view for all answers: they load with the first conversation, not with the page. */
export function MarkdownProvider({ children }: { readonly children: ReactNode }) {
  const { reportError } = useChat();
  const [DocumentView, setDocumentView] = useState<LazyView["DocumentView"]>();
  const load = useCallback(() => {
    import("./document-view.tsx").then(
      (module) => setDocumentView(() => module.DocumentView),
      (cause: unknown) =>
        reportError(new Error("Markdown could not be loaded: answers are shown as plain text.", { cause })),
    );
  }, [reportError]);
  const isNeeded = useChatState((state) =>
    Object.values(state.conversations).some(({ history, messages }) => history === "loading" || messages.length > 0),
  );
  useEffect(() => {
    if (isNeeded) load();
  }, [isNeeded, load]);
  const lazyView = useMemo<LazyView>(() => ({ DocumentView, load }), [DocumentView, load]);
  return <LazyViewContext value={lazyView}>{children}</LazyViewContext>;
}
