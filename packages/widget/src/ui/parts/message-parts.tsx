import type { Part, PartType, Role } from "@nitka/protocol";
import type { ComponentType } from "react";
import type { Appended } from "../../store/state.ts";
import { InternalError } from "../internal-error.ts";
import type { PartPlace } from "./part-view.ts";
import { partViews } from "./part-views.ts";

/** What a message says, part by part. */
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
  const gathered = new Map<PartType, Part[]>();
  const counts = new Map<PartType, number>();
  const views = parts.map((part, index) => {
    const view = viewOf(part);
    const count = (counts.get(part.type) ?? 0) + 1;
    counts.set(part.type, count);
    if ("together" in view) {
      gathered.set(part.type, [...(gathered.get(part.type) ?? []), part]);
      return null;
    }
    const place: PartPlace = {
      partId: `${messageId}-${part.type}-${count}`,
      author,
      running,
      writing: running && index === parts.length - 1,
      appended: appended?.partIndex === index ? appended : undefined,
    };
    // Parts are only ever added at the end: the third text stays the third.
    return <view.each key={`${part.type} ${count}`} part={part} place={place} />;
  });
  return (
    <>
      {views}
      {[...gathered].map(([type, some]) => {
        const view = viewOf({ type });
        return "together" in view && <view.together key={type} parts={some} />;
      })}
    </>
  );
}

/** A view that is only ever given parts of its own type. */
type AnyPartView =
  | { readonly each: ComponentType<{ readonly part: Part; readonly place: PartPlace }> }
  | { readonly together: ComponentType<{ readonly parts: readonly Part[] }> };

function viewOf({ type }: { readonly type: PartType }): AnyPartView {
  if (Object.hasOwn(partViews, type)) return partViews[type] as unknown as AnyPartView;
  throw new InternalError(`Unknown message part type "${type}". Known types: ${Object.keys(partViews).join(", ")}.`);
}
