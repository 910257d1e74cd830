import { parseDataUrl } from "@nitka/protocol/data-url";
import type { PartKind } from "./part-kind.ts";

export const image: PartKind<"image"> = {
  eventsOf({ image: url }) {
    const type = parseDataUrl(url)?.mimeType;
    return [{ type: "file", url, mediaType: type?.startsWith("image/") ? type : "image/*" }];
  },
};
