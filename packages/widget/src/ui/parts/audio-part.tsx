import { safeFile } from "../../markdown/safe-file.ts";
import { useFile } from "../attachments/use-file.ts";
import { useChat } from "../chat-context.tsx";
import type { PartOf } from "./part-view.ts";

/** The browser's own player, without captions: what is heard was made a moment ago, and no caption of it exists. */
const Player = "audio";

/** A recording that came with the answer. */
export function AudioPart({ part: { audio } }: { readonly part: PartOf<"audio"> }) {
  const { words, resolveUrl } = useChat();
  const { src } = useFile(
    "data" in audio ? `data:audio/${audio.format};base64,${audio.data}` : safeFile(resolveUrl(audio.url)),
  );
  return <Player className="audio-part" controls preload="metadata" aria-label={words.parts.audio} src={src} />;
}
