import type { Attachment } from "@nitka/protocol";
import { useEffect, useState } from "react";
import { safeFile } from "../../markdown/safe-file.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { AttachmentTile } from "./attachment-tile.tsx";

/** For how long a browser may need the address of a file that it saves. */
const SAVING_MS = 60_000;

/** A sent attachment: a picture to look at, or a file to save. */
export function SentAttachment({ attachment: { type, name, url } }: { readonly attachment: Attachment }) {
  const { words, resolveUrl, loadFile } = useChat();
  const announce = useAnnounce();
  const address = safeFile(resolveUrl(url));
  const [picture, setPicture] = useState<string>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!loadFile || address === undefined || type !== "image") return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    loadFile(address, signal).then(setPicture, () => setFailed(!signal.aborted));
    return () => controller.abort();
  }, [loadFile, type, address]);

  const save = async (load: NonNullable<typeof loadFile>, from: string) => {
    setFailed(false);
    const controller = new AbortController();
    try {
      const href = await load(from, controller.signal);
      Object.assign(document.createElement("a"), { href, download: name }).click();
      setTimeout(() => controller.abort(), SAVING_MS);
    } catch {
      setFailed(true);
      announce(words.attachments.failed(name));
    }
  };
  return (
    <AttachmentTile
      type={type}
      name={name}
      picture={loadFile ? picture : address}
      href={address}
      onOpen={loadFile && address !== undefined ? () => void save(loadFile, address) : undefined}
      state={failed ? "failed" : undefined}
    />
  );
}
