import type { Attachment } from "@nitka/protocol";
import { loadChunk } from "../../load-chunk.ts";
import { useChat } from "../chat-context.tsx";
import { MissingCode } from "../primitives/failure-note.tsx";
import { useLoaded } from "../primitives/use-loaded.ts";

/** Most conversations have no files, so the code that shows them loads with the first. Until then each has an empty place. */
const loadTile = loadChunk(() => import("./sent-attachment.tsx"));

/** The attachments of a sent message. */
export function SentAttachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  const { words } = useChat();
  const tile = useLoaded(loadTile);
  return (
    <>
      <ul className="attachments" aria-label={words.composer.attachments}>
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            {tile.value ? <tile.value.SentAttachment attachment={attachment} /> : tile.error && attachment.name}
          </li>
        ))}
      </ul>
      {tile.error && <MissingCode onRetry={tile.retry} />}
    </>
  );
}
