import { base64OfDataUrl } from "../data-url.ts";
import { mimeEssence } from "../mime-type.ts";
import { withPartAt } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** Appends the part for a `file` event: an image, audio, or a file, according to the event's MIME type. */
export const foldFile: Fold<"file"> = (answer, { url, mediaType, filename }) => {
  const [kind, format = ""] = mimeEssence(mediaType).split("/");
  const data = base64OfDataUrl(url);
  // An audio player requests its address at once, without a click. Audio of another site therefore stays a file, which
  // is only a link.
  const isAudio = kind === "audio" && (data || !/:/.test(url));
  return withPartAt(
    answer,
    kind === "image"
      ? { type: kind, image: url }
      : isAudio
        ? { type: kind, audio: data ? { data, format } : { url, format } }
        : { type: "file", url, filename, mimeType: mediaType || "application/octet-stream" },
  );
};
