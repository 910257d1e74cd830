import type { PartKind } from "./part-kind.ts";

export const audio: PartKind<"audio"> = {
  eventsOf({ audio: sound }) {
    const mediaType = `audio/${sound.format}`;
    return [{ type: "file", url: "data" in sound ? `data:${mediaType};base64,${sound.data}` : sound.url, mediaType }];
  },
};
