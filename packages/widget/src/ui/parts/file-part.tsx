import { safeFile } from "../../markdown/safe-file.ts";
import { useChat } from "../chat-context.tsx";
import { Icon } from "../primitives/icon.tsx";
import type { PartOf, PartPlace, PartView } from "./part-view.ts";

export const filePart: PartView<"file"> = { each: FilePart };

/** A file that came with the answer, to be saved. */
function FilePart({ part }: { readonly part: PartOf<"file">; readonly place: PartPlace }) {
  const { words, resolveUrl } = useChat();
  const name = part.filename ?? words.parts.file;
  const href = "url" in part ? safeFile(resolveUrl(part.url)) : `data:${part.mimeType};base64,${part.data}`;
  return (
    <a className="file-part" href={href} download={name} target="_blank" rel="noreferrer">
      <Icon name="document" />
      <span className="hidden-text">{words.parts.download}</span>
      <span className="file-name">{name}</span>
      <span className="file-type">{part.mimeType}</span>
      <Icon name="download" />
    </a>
  );
}
