import { put } from "./fold.ts";
import type { Fold } from "./fold.ts";

/** One event brings files of every kind: images and sounds become parts of their own. */
export const foldFile: Fold<"file"> = (answer, { url, mediaType, filename }) => {
  const [kind, format = ""] = mediaType.split("/");
  const data = url.split(";base64,")[1];
  if (kind === "image") return put(answer, { type: "image", image: url });
  if (kind === "audio" && data) return put(answer, { type: "audio", audio: { data, format } });
  return put(answer, { type: "file", url, filename, mimeType: mediaType || "application/octet-stream" });
};
