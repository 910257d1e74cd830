import { memo, useLayoutEffect, useRef } from "react";
import { mathCode } from "./math-code.ts";

/** A formula: its element is made once for its source. One that is not whole or not valid is shown as its source. */
export const Formula = memo(function Formula({ source }: { readonly source: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(mathCode()?.showFormula(source) ?? source), [source]);
  return <span ref={place} className="markdown-source" dir="ltr" />;
});
