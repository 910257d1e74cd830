import { useState } from "react";
import { ImagePreview } from "../attachments/image-preview.tsx";
import { useFile } from "../attachments/use-file.ts";
import { safeImage, safeLink } from "../../markdown/safe-link.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import type { PartOf } from "../chat-context.tsx";

/** A picture in an answer. Until it has loaded, a placeholder keeps room for it. */
export function ImagePart({ part }: { readonly part: PartOf<"image"> }) {
  const { words, resolveUrl } = useChat();
  const [state, setState] = useState<"loading" | "loaded" | "failed">("loading");
  const [previewed, setPreviewed] = useState(false);
  const hosts = useChatState((chat) => chat.config.imageHosts);
  const address = resolveUrl(part.image);
  const picture = imageAddress(address, resolveUrl("."), hosts);
  const { src, failed } = useFile(picture);
  if (picture === undefined) {
    return (
      <OutwardLink className="image-link" href={safeLink(address)}>
        {words.parts.image}
      </OutwardLink>
    );
  }
  if (state === "failed" || failed) return <p className="part-missing">{words.parts.imageFailed}</p>;
  return (
    <>
      <button
        type="button"
        className="image-part"
        data-state={state}
        aria-label={words.parts.openImage}
        aria-haspopup="dialog"
        onClick={() => setPreviewed(true)}
      >
        <img
          src={src}
          alt={words.parts.image}
          referrerPolicy="no-referrer"
          onLoad={() => setState("loaded")}
          onError={() => setState("failed")}
        />
      </button>
      <ImagePreview open={previewed} src={src ?? ""} name={words.parts.image} onClose={() => setPreviewed(false)} />
    </>
  );
}

/**
 * The address, if a picture may be loaded from it: from the message itself, the API's origin, or a host that the config names.
 */
function imageAddress(address: string, apiBase: string, hosts?: readonly string[]): string | undefined {
  const { protocol, origin } = new URL(address);
  if (protocol === "data:" || protocol === "blob:" || origin === new URL(apiBase).origin) return address;
  return safeImage(address, hosts);
}
