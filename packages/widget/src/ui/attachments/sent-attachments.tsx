import type { Attachment } from "@nitka/protocol";
import { useChat } from "../chat-context.tsx";
import { AttachmentTile } from "./attachment-tile.tsx";

/** The attachments of a sent message. They stay as they were sent. */
export function SentAttachments({ attachments }: { readonly attachments: readonly Attachment[] }) {
  const { words, resolveUrl } = useChat();
  return (
    <ul className="attachments" aria-label={words.composer.attachments}>
      {attachments.map(({ id, type, name, url }) => (
        <li key={id}>
          <AttachmentTile type={type} name={name} picture={resolveUrl(url)} href={resolveUrl(url)} />
        </li>
      ))}
    </ul>
  );
}
