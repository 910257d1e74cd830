import { memo, useLayoutEffect, useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { useScrollEdges } from "../primitives/use-scroll-edges.ts";
import { mathCode } from "./math-code.ts";

/** A formula: its element is made once for its source. One that is not whole or not valid is shown as its source. */
export const Formula = memo(function Formula({ source }: { readonly source: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) mathCode()?.showFormula(place.current, source);
  }, [source]);
  useScrollEdges(place, useChat().words.markdown.formula);
  return <span ref={place} dir="ltr" />;
});
