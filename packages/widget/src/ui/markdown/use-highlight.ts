import { useEffect, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { Token } from "../../markdown/highlight.ts";
import { HIGHLIGHT_CODE_AFTER_MS } from "../../timings.ts";

const loadHighlight = loadChunk(() => import("../../markdown/highlight.ts"));

/** Longer code stays plain: colouring it would hold up the page. */
const LIMIT_CHARS = 30_000;

/** The tokens of each piece of finished code, once its colours have been worked out; `undefined` before. */
export function useHighlight(
  pieces: readonly string[],
  language: string | undefined,
  closed: boolean,
): readonly (readonly Token[])[] | undefined {
  const [result, setResult] = useState<{
    readonly pieces: readonly string[];
    readonly tokens: readonly (readonly Token[])[] | undefined;
  }>();
  useEffect(() => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    if (!closed || language === undefined || length === 0 || length > LIMIT_CHARS) return undefined;
    return whenStill(() => {
      void loadHighlight().then(
        ({ highlight }) => setResult({ pieces, tokens: highlight(pieces, language) }),
        // Without its colours the code can still be read.
        () => undefined,
      );
    });
  }, [pieces, language, closed]);
  return result?.pieces === pieces ? result.tokens : undefined;
}

/** Calls back when nothing has changed for a moment and the browser has time. Returns its stop. */
function whenStill(callback: () => void): () => void {
  let stop = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (!("requestIdleCallback" in globalThis)) return callback();
    const handle = requestIdleCallback(callback, { timeout: 500 });
    stop = () => cancelIdleCallback(handle);
  }, HIGHLIGHT_CODE_AFTER_MS);
  return () => stop();
}
