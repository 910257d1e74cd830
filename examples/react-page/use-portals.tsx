import type { NitkaRenderer } from "@nitka/widget";
import { useState } from "react";
import type { ComponentType, ReactNode } from "react";
import { createPortal } from "react-dom";

/** A component that shows a part of an answer. */
type PartView<P> = ComponentType<{ readonly part: P }>;

/**
 * A renderer whose views are components of this React tree. They have its contexts, although they are inside the chat.
 *
 * @returns the renderer, which stays the same, and the portals, which are to be rendered
 */
export function usePortals<P>(View: PartView<P>): readonly [NitkaRenderer<P>, ReactNode] {
  const [shown, setShown] = useState<ReadonlyMap<HTMLElement, P>>(new Map());
  const [renderer] = useState(() => {
    const render: NitkaRenderer<P> = (container, first) => {
      const show = (part: P) => setShown((before) => new Map(before).set(container, part));
      show(first);
      return {
        update: show,
        destroy: () => setShown((before) => new Map([...before].filter(([other]) => other !== container))),
      };
    };
    return render;
  });
  return [renderer, [...shown].map(([container, part]) => createPortal(<View part={part} />, container))];
}
