import type { EventOf } from "../stream-event.ts";
import type { Fold } from "./fold.ts";
import { withPartAt } from "./fold.ts";

type SourceEvent = EventOf<"source-document"> & Partial<Omit<EventOf<"source-url">, "type">>;

/**
 * Appends a source. A document has a title and no address; a source without an id gets its address or title as its id.
 * The citation's fields come first, so that they do not override the others.
 */
export const foldSource: Fold<"source"> = (answer, event) => {
  const { sourceId, title, url = "", providerMetadata } = event as SourceEvent;
  return withPartAt(answer, {
    ...providerMetadata?.nitka,
    type: "source",
    sourceType: "url",
    id: sourceId || url || title,
    url,
    title,
  });
};
