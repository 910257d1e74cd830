import { safeFile } from "../../markdown/safe-file.ts";
import { FileIcon } from "../attachments/file-icon.tsx";
import { useSaveFile } from "../attachments/use-file.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounce } from "../primitives/announcer.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";
import type { PartOf } from "./part-view.ts";

/** A file in an answer, which the visitor can save. */
export function FilePart({ part }: { readonly part: PartOf<"file"> }) {
  const { words, resolveUrl } = useChat();
  const announce = useAnnounce();
  const name = part.filename ?? words.parts.file;
  const href = "url" in part ? safeFile(resolveUrl(part.url)) : `data:${part.mimeType};base64,${part.data}`;
  const save = useSaveFile(name, href);
  return (
    <OutwardLink
      className="file-part"
      href={href}
      download={name}
      // It is saved, in whatever tab.
      aria-describedby={undefined}
      onClick={(event) => {
        if (!save) return;
        event.preventDefault();
        save().catch(() => announce(words.attachments.failed(name)));
      }}
    >
      <FileIcon name="document" />
      {href !== undefined && <span className="hidden-text">{words.parts.download}</span>}
      <span className="file-name">{name}</span>
      <span className="file-type">{part.mimeType}</span>
      {href !== undefined && <FileIcon name="download" />}
    </OutwardLink>
  );
}
