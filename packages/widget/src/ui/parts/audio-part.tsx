import { useChat } from "../chat-context.tsx";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const audioPart: PartView<"audio"> = { each: AudioPart };

/** The browser's own player, without captions: what is heard was made a moment ago, and no caption of it exists. */
const Player = "audio";

/** A recording that came with the answer. */
function AudioPart({ part: { audio } }: { readonly part: PartOf<"audio">; readonly place: PartPlace }) {
  const { words } = useChat();
  return (
    <Player
      className="audio-part"
      controls
      preload="metadata"
      aria-label={words.parts.audio}
      src={`data:audio/${audio.format};base64,${audio.data}`}
    />
  );
}
