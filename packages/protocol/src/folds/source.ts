import type { EventOf } from "../stream-event.ts";
import type { Fold } from "./fold.ts";
import { withPartAt } from "./fold.ts";

/** Appends a source. A document has a title and no address; a source without an id gets its address or title as the id. */
export const foldSource: Fold<"source"> = (answer, event) => {
  const { sourceId, title, url = "" } = event as EventOf<"source-document"> & { readonly url?: string };
  return withPartAt(answer, {
    type: "source",
    sourceType: "url",
    id: sourceId || url || title,
    url,
    title,
  });
};
