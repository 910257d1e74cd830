import type { Part } from "../part.ts";
import type { EventOf } from "../stream-event.ts";
import { append } from "./fold.ts";
import type { Folds } from "./fold.ts";

/** One event brings files of every kind: images and sounds become parts of their own. */
export const fileFolds: Folds<"file"> = {
  file: (draft, event) => append(draft, partOf(event)),
};

function partOf({ url, mediaType, filename }: EventOf<"file">): Part {
  if (mediaType.startsWith("image/")) return { type: "image", image: url };
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (mediaType.startsWith("audio/") && data !== undefined) {
    return { type: "audio", audio: { data, format: mediaType.slice("audio/".length) } };
  }
  const fields = { type: "file", mimeType: mediaType, ...(filename === undefined ? {} : { filename }) } as const;
  return data === undefined ? { ...fields, url } : { ...fields, data };
}
