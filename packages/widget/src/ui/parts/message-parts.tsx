import type { Part, PartType, Role } from "@nitka/protocol";
import type { ComponentType, ReactNode } from "react";
import type { Appended } from "../../store/state.ts";
import { HostViewOr } from "../chat-context.tsx";
import { InternalError } from "../internal-error.ts";
import { ContentBoundary } from "../primitives/failure-note.tsx";
import type { PartOf } from "../chat-context.tsx";
import type { PartPlace } from "./part-view.ts";
import { partViews } from "./part-views.tsx";

/** The parts of a message, each in its own view. */
export function MessageParts({
  messageId,
  author,
  parts,
  running,
  appended,
}: {
  readonly messageId: string;
  readonly author: Role;
  readonly parts: readonly Part[];
  readonly running: boolean;
  readonly appended?: Appended | undefined;
}) {
  const writtenIndex = indexOfWrittenPart(parts);
  const partsShownTogether = new Map<PartType, Part[]>();
  const counts = new Map<PartType, number>();
  const cited = parts.filter((part) => part.type === "source" && part.n !== undefined) as PartOf<"source">[];
  const views = parts.map((part, index) => {
    const view = viewOf(part);
    const count = (counts.get(part.type) ?? 0) + 1;
    counts.set(part.type, count);
    if ("together" in view) {
      partsShownTogether.set(part.type, [...(partsShownTogether.get(part.type) ?? []), part]);
      return null;
    }
    const place: PartPlace = {
      partId: `${messageId}-${part.type}-${count}`,
      author,
      running,
      writing: running && index === writtenIndex,
      appended: appended?.partIndex === index ? appended : undefined,
      cited: cited[0] && cited,
    };
    // The key is type and number. Parts are only added at the end, so the third text stays the third.
    return (
      <ContentBoundary key={`${part.type} ${count}`} resetKey={running}>
        <PartOrHostView part={part}>
          <view.each part={part} place={place} />
        </PartOrHostView>
      </ContentBoundary>
    );
  });
  return (
    <>
      {views}
      {[...partsShownTogether].map(([type, partsOfType]) => {
        const view = viewOf({ type });
        return (
          "together" in view && (
            <ContentBoundary key={type} resetKey={partsOfType.length}>
              <view.together parts={partsOfType} />
            </ContentBoundary>
          )
        );
      })}
    </>
  );
}

/**
 * The index of the part that a running answer is writing: its last one, except for `data` parts and sources. Those arrive
 * complete, and the text before them may continue.
 */
export function indexOfWrittenPart(parts: readonly Part[]): number {
  return parts.findLastIndex(({ type }) => type !== "data" && type !== "source");
}

/** The view of a part of any type. `viewOf` casts to it: TypeScript cannot see that the view belongs to the part's type. */
type AnyPartView =
  | { readonly each: ComponentType<{ readonly part: Part; readonly place: PartPlace }> }
  | { readonly together: ComponentType<{ readonly parts: readonly Part[] }> };

function viewOf({ type }: { readonly type: PartType }): AnyPartView {
  return Object.hasOwn(partViews, type) ? (partViews[type] as unknown as AnyPartView) : { each: UnknownPart };
}

function UnknownPart({ part: { type } }: { readonly part: Part }): never {
  throw new InternalError(`Unknown message part type "${type}".`);
}

/**
 * A part in the host's view if the host has a renderer for it, otherwise in the widget's own.
 *
 * @param children the widget's own view
 */
function PartOrHostView({ part, children }: { readonly part: Part; readonly children: ReactNode }) {
  if (part.type !== "data" && part.type !== "tool-call") return children;
  return (
    <HostViewOr name={part.type === "data" ? `data:${part.name}` : `tool:${part.toolName}`} part={part}>
      {children}
    </HostViewOr>
  );
}
