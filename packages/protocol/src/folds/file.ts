import type { Part } from "../part.ts";
import type { EventOf } from "../stream-event.ts";
import { put } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** One event brings files of every kind: images and sounds become parts of their own. */
export const foldFile: Fold<"file"> = (answer, event) => put(answer, partOf(event));

function partOf({ url, mediaType, filename }: EventOf<"file">): Part {
  const [kind, format = ""] = mediaType.split("/");
  const [, data] = url.split(";base64,");
  if (kind === "image") return { type: kind, image: url };
  // A player asks its address at once, without a click: of other sites' sounds only the address is shown.
  if (kind === "audio" && (data || !/:/.test(url))) {
    return { type: kind, audio: data ? { data, format } : { url, format } };
  }
  return { type: "file", url, filename, mimeType: mediaType || "application/octet-stream" };
}
