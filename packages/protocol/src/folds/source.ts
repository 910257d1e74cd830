import { append } from "./fold.ts";
import type { Draft, Folds } from "./fold.ts";

export const sourceFolds: Folds<"source-url" | "source-document"> = {
  "source-url": (draft, { sourceId, url, title }) => cite(draft, sourceId, url, title),
  "source-document": (draft, { sourceId, title }) => cite(draft, sourceId, "", title),
};

function cite(draft: Draft, id: string, url: string, title: string | undefined): Draft {
  const fields = { type: "source", sourceType: "url", id, url } as const;
  return append(draft, title === undefined ? fields : { ...fields, title });
}
