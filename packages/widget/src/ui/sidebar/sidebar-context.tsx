import { createContext, use, useId, useMemo } from "react";
import type { ReactNode } from "react";
import { useChatState } from "../chat-context.tsx";
import { InternalError } from "../internal-error.ts";

/** What the sidebar and its toggle share. */
export interface SidebarScope {
  /** Of the sidebar's element: the toggle's `aria-controls`. */
  readonly id: string;
  /** Expanded or, on compact layouts, open as a sheet. */
  readonly open: boolean;
  /** The sidebar is a sheet. */
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
    throw new InternalError("useSidebar was called outside SidebarProvider.");
  }
  return scope;
}
