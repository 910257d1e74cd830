import { useEffect, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { Highlight, Token } from "../../markdown/code/highlight.ts";
import { HIGHLIGHT_CODE_AFTER_MS } from "../../timings.ts";

const loadHighlight = loadChunk(() => import("../../markdown/code/highlight.ts"));

/** The page's highlighter, once its code has loaded. */
let highlight: Highlight | undefined;

/** The maximum length of highlighted code: highlighting more would block the page. */
const MAX_CHARS = 30_000;

/** The coloured tokens of each piece of code; `undefined` until the code is closed and highlighted. */
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
    if (!closed || language === undefined || length === 0 || length > MAX_CHARS) return undefined;
    return whenIdle(() => {
      void loadHighlight()
        .then(({ createHighlight }) => {
          highlight ??= createHighlight(loadChunk);
          return highlight(pieces, language);
        })
        .then(
          (tokens) => setResult({ pieces, tokens }),
          // Code without colours is readable too.
          () => undefined,
        );
    });
  }, [pieces, language, closed]);
  return result?.pieces === pieces ? result.tokens : undefined;
}

/** Calls back after a short delay, when the browser is idle. Returns a function that cancels the callback. */
function whenIdle(callback: () => void): () => void {
  let stop = () => clearTimeout(timer);
  const timer = setTimeout(() => {
    if (!("requestIdleCallback" in globalThis)) return callback();
    const handle = requestIdleCallback(callback, { timeout: 500 });
    stop = () => cancelIdleCallback(handle);
  }, HIGHLIGHT_CODE_AFTER_MS);
  return () => stop();
}
