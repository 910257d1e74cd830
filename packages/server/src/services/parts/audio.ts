import type { PartKind } from "./part-kind.ts";

export const audio: PartKind<"audio"> = {
  eventsOf({ audio: { data, format } }) {
    const mediaType = `audio/${format}`;
    return [{ type: "file", url: `data:${mediaType};base64,${data}`, mediaType }];
  },
};
