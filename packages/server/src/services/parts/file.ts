import type { PartKind } from "./part-kind.ts";

export const file: PartKind<"file"> = {
  eventsOf(part) {
    const url = "url" in part ? part.url : `data:${part.mimeType};base64,${part.data}`;
    const name = part.filename === undefined ? {} : { filename: part.filename };
    return [{ type: "file", url, mediaType: part.mimeType, ...name }];
  },
};
