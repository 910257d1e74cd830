import type { PartType } from "@nitka/protocol";
import { createElement } from "react";
import type { FunctionComponent } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { Chunk } from "../../load-chunk.ts";
import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import { loadToolCalls } from "./load-tool-calls.ts";
import type { PartView } from "./part-view.ts";
import { ReasoningPart } from "./reasoning-part.tsx";
import { TextPart } from "./text-part.tsx";

const loadFiles = loadChunk(() => import("./file-views.tsx"));
const loadSources = loadChunk(() => import("./source-list.tsx"));

/** The view of every type of part. A new type is a file in this folder and a line here. */
export const partViews = {
  text: { each: TextPart },
  reasoning: { each: ReasoningPart },
  "tool-call": { each: lazyView(loadToolCalls, (code) => code.ToolCallView) },
  image: { each: lazyView(loadFiles, (code) => code.ImagePart) },
  file: { each: lazyView(loadFiles, (code) => code.FilePart) },
  audio: { each: lazyView(loadFiles, (code) => code.AudioPart) },
  source: { together: lazyView(loadSources, (code) => code.SourceList) },
  // Only the host can show its own content.
  data: { each: () => null },
} satisfies { readonly [T in PartType]: PartView<T> };

/** A view whose code loads with the first part that needs it. Until then it shows nothing. */
function lazyView<C extends object, P extends object>(
  load: Chunk<C>,
  viewIn: (code: C) => FunctionComponent<P>,
): FunctionComponent<P> {
  return function LazyView(props) {
    const { value, error, retry } = useLoaded(load);
    return value ? createElement(viewIn(value), props) : error ? <MissingCode onRetry={retry} /> : null;
  };
}
