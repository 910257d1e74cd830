import type { EventOf } from "../stream-event.ts";
import type { Fold } from "./fold.ts";
import { put } from "./fold.ts";

export const foldSource: Fold<"source"> = (answer, event) => {
  const { sourceId, title, url = "" } = event as EventOf<"source-document"> & { readonly url?: string };
  return put(answer, {
    type: "source",
    sourceType: "url",
    id: sourceId || url || title,
    url,
    title,
  });
};
