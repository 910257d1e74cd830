/** The views of parts that are files. Most conversations have none, so this chunk loads with the first. */
import { createElement } from "react";
import { safeFile } from "../../markdown/safe-file.ts";
import { useFile, useSaveFile } from "../attachments/use-file.ts";
import { useChat } from "../chat-context.tsx";
import type { PartOf } from "../chat-context.tsx";
import { fileIcons } from "../attachments/file-icons.ts";
import { useAnnounce } from "../primitives/announcer.tsx";
import { Icon } from "../primitives/icon.tsx";
import { OutwardLink } from "../primitives/outward-link.tsx";

export { ImagePart } from "./image-part.tsx";

/**
 * A recording in an answer, in the browser's own player. It has no caption track, because a recording made a moment ago has
 * none. The linter requires one for `<audio>` in JSX, hence `createElement`.
 */
export function AudioPart({ part: { audio } }: { readonly part: PartOf<"audio"> }) {
  const { words, resolveUrl } = useChat();
  const { src } = useFile(
    "data" in audio ? `data:audio/${audio.format};base64,${audio.data}` : safeFile(resolveUrl(audio.url)),
  );
  return createElement("audio", {
    className: "audio-part",
    controls: true,
    preload: "metadata",
    "aria-label": words.parts.audio,
    src,
  });
}

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
      // The file is saved, whichever tab the link has.
      aria-describedby={undefined}
      onClick={(event) => {
        if (!save) return;
        event.preventDefault();
        save().catch(() => announce(words.attachments.failed(name)));
      }}
    >
      <Icon name={fileIcons.document} />
      {href !== undefined && <span className="hidden-text">{words.parts.download}</span>}
      <span className="file-name">{name}</span>
      <span className="file-type">{part.mimeType}</span>
      {href !== undefined && <Icon name={fileIcons.download} />}
    </OutwardLink>
  );
}
