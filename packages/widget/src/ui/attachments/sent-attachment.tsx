import type { Attachment } from "@nitka/protocol";
import { useState } from "react";
import { safeFile } from "../../markdown/safe-file.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { AttachmentTile } from "./attachment-tile.tsx";
import { useFile, useSaveFile } from "./use-file.ts";

/** A sent attachment: a picture that opens in a preview, or a file that can be saved. */
export function SentAttachment({ attachment: { type, name, url } }: { readonly attachment: Attachment }) {
  const { words, resolveUrl } = useChat();
  const announce = useAnnounce();
  const address = safeFile(resolveUrl(url));
  const picture = useFile(type === "image" ? address : undefined);
  const save = useSaveFile(name, address);
  const [failed, setFailed] = useState(false);
  const open = () => {
    setFailed(false);
    save?.().catch(() => {
      setFailed(true);
      announce(words.attachments.failed(name));
    });
  };
  return (
    <AttachmentTile
      type={type}
      name={name}
      picture={picture.src}
      href={address}
      onOpen={save && open}
      state={failed || picture.failed ? "failed" : undefined}
    />
  );
}
