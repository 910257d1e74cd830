import type { Part } from "@nitka/protocol";
import type { ReactNode } from "react";
import { HostViewOr } from "../chat-context.tsx";

/**
 * A part in the host's own view where the host has a renderer for it, else in ours.
 *
 * @param children our own view
 */
export function PartOrHostView({ part, children }: { readonly part: Part; readonly children: ReactNode }) {
  if (part.type !== "data" && part.type !== "tool-call") return children;
  return (
    <HostViewOr name={part.type === "data" ? `data:${part.name}` : `tool:${part.toolName}`} part={part}>
      {children}
    </HostViewOr>
  );
}
