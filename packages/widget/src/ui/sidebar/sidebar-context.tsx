import { createContext, use, useId, useMemo } from "react";
import type { ReactNode } from "react";
import { useChatState } from "../chat-context.tsx";
import { InternalError } from "../internal-error.ts";

/** The sidebar as its toggle, and it itself, know it. */
export interface SidebarScope {
  /** The sidebar's element, for the toggle to point at. */
  readonly id: string;
  /** Something of it is to be seen: expanded, or its sheet open. */
  readonly open: boolean;
  /** It opens as a sheet. */
  readonly compact: boolean;
}

const SidebarContext = createContext<SidebarScope | undefined>(undefined);

export function SidebarProvider({ children }: { readonly children: ReactNode }) {
  const id = useId();
  const compact = useChatState(({ sidebar }) => sidebar.compact);
  const open = useChatState(({ sidebar }) => (sidebar.compact ? sidebar.sheetOpen : sidebar.open));
  const scope = useMemo(() => ({ id, open, compact }), [id, open, compact]);
  return <SidebarContext value={scope}>{children}</SidebarContext>;
}

export function useSidebar(): SidebarScope {
  const scope = use(SidebarContext);
  if (!scope) {
    throw new InternalError(
      "useSidebar was called outside SidebarProvider. Render the sidebar inside <SidebarProvider>.",
    );
  }
  return scope;
}
