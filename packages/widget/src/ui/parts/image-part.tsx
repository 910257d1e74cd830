import { useState } from "react";
import { ImagePreview } from "../attachments/image-preview.tsx";
import { useChat } from "../chat-context.tsx";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const imagePart: PartView<"image"> = { each: ImagePart };

/** A picture that came with the answer. Room is kept for it until it has loaded. */
function ImagePart({ part }: { readonly part: PartOf<"image">; readonly place: PartPlace }) {
  const { words, resolveUrl } = useChat();
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const [previewed, setPreviewed] = useState(false);
  const src = resolveUrl(part.image);
  if (state === "failed") return <p className="part-missing">{words.parts.imageFailed}</p>;
  return (
    <>
      <button
        type="button"
        className="image-part"
        data-state={state}
        aria-label={words.attachments.open(words.parts.image)}
        aria-haspopup="dialog"
        onClick={() => setPreviewed(true)}
      >
        <img src={src} alt={words.parts.image} onLoad={() => setState("loaded")} onError={() => setState("failed")} />
      </button>
      <ImagePreview open={previewed} src={src} name={words.parts.image} onClose={() => setPreviewed(false)} />
    </>
  );
}
