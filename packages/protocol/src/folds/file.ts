import { base64OfDataUrl } from "../data-url.ts";
import { mimeEssence } from "../mime-type.ts";
import type { Part } from "../part.ts";
import type { EventOf } from "../stream-event.ts";
import { withPartAt } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** Appends the part for a `file` event: an image, audio, or a file, by the event's MIME type. */
export const foldFile: Fold<"file"> = (answer, event) => withPartAt(answer, partOfFile(event));

function partOfFile({ url, mediaType, filename }: EventOf<"file">): Part {
  const [kind, format = ""] = mimeEssence(mediaType).split("/");
  const data = base64OfDataUrl(url);
  if (kind === "image") return { type: kind, image: url };
  // A player requests its address at once, without a click. Audio of another site stays a file, which is only a link.
  if (kind === "audio" && (data || !/:/.test(url))) {
    return { type: kind, audio: data ? { data, format } : { url, format } };
  }
  return { type: "file", url, filename, mimeType: mediaType || "application/octet-stream" };
}
