import { dataUrlOf } from "@nitka/protocol/data-url";
import type { PartKind } from "./part-kind.ts";

export const file: PartKind<"file"> = {
  eventsOf(part) {
    const url = "url" in part ? part.url : dataUrlOf(part.mimeType, part.data);
    const name = part.filename === undefined ? {} : { filename: part.filename };
    return [{ type: "file", url, mediaType: part.mimeType, ...name }];
  },
};
