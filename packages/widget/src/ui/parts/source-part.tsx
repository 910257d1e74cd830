import { loadChunk } from "../../load-chunk.ts";
import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";
import type { PartOf, PartView } from "./part-view.ts";

const loadList = loadChunk(() => import("./source-list.tsx"));

/** Sources. Most answers have none, so the list loads with the first. */
export const sourcePart: PartView<"source"> = { together: LazySources };

function LazySources(props: { readonly parts: readonly PartOf<"source">[] }) {
  const { value, error, retry } = useLoaded(loadList);
  return value ? <value.SourceList {...props} /> : error ? <MissingCode onRetry={retry} /> : null;
}
