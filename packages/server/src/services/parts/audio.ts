import { dataUrlOf } from "@nitka/protocol/data-url";
import type { PartKind } from "./part-kind.ts";

export const audio: PartKind<"audio"> = {
  eventsOf({ audio: sound }) {
    const mediaType = `audio/${sound.format}`;
    return [{ type: "file", url: "data" in sound ? dataUrlOf(mediaType, sound.data) : sound.url, mediaType }];
  },
};
