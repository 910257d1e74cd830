import type { AttachmentType } from "@nitka/protocol";
import { useState } from "react";
import type { ReactNode } from "react";
import { useChat } from "../chat-context.tsx";
import { InternalError } from "../internal-error.ts";
import { Icon } from "../primitives/icon.tsx";
import type { IconName } from "../primitives/icon.tsx";
import { fileIcons } from "./file-icons.ts";
import { ImagePreview } from "./image-preview.tsx";

/** The icons of attachments that show no picture. */
const icons = {
  image: fileIcons.image,
  document: fileIcons.document,
  file: fileIcons.file,
} satisfies Record<AttachmentType, IconName>;

/** An attachment as a small square: its picture, or an icon above the file's name. */
export function AttachmentTile({
  type,
  name,
  picture,
  href,
  onOpen,
  state,
  children,
}: {
  readonly type: AttachmentType;
  readonly name: string;
  /** The address of an image's picture, if it can be shown. */
  readonly picture?: string | undefined;
  /** The address of a file that is shown without a picture. */
  readonly href?: string | undefined;
  /** Called in place of following `href`. */
  readonly onOpen?: (() => void) | undefined;
  readonly state?: "uploading" | "failed" | undefined;
  readonly children?: ReactNode;
}) {
  const { words } = useChat();
  const [previewed, setPreviewed] = useState(false);
  const [broken, setBroken] = useState(false);
  if (!Object.hasOwn(icons, type)) {
    throw new InternalError(
      `Unknown attachment type "${type}" of "${name}". Known types: ${Object.keys(icons).join(", ")}.`,
    );
  }
  // A failed upload's tile is covered by its retry button, so a picture that opens a preview could not be pressed.
  const previewSrc = type === "image" && picture !== undefined && !broken && state !== "failed" ? picture : undefined;
  return (
    <div className="attachment-tile" data-type={type} data-state={state}>
      {previewSrc !== undefined ? (
        <button
          type="button"
          className="attachment-face"
          aria-label={words.attachments.open(name)}
          aria-haspopup="dialog"
          data-tooltip={name}
          onClick={() => setPreviewed(true)}
        >
          <img className="attachment-picture" src={previewSrc} alt={name} onError={() => setBroken(true)} />
        </button>
      ) : (
        <Face name={name} href={href} onOpen={onOpen}>
          <Icon name={icons[type]} />
          <span className="attachment-name">{name}</span>
        </Face>
      )}
      {children}
      {previewSrc !== undefined && (
        <ImagePreview open={previewed} src={previewSrc} name={name} onClose={() => setPreviewed(false)} />
      )}
    </div>
  );
}

function Face({
  name,
  href,
  onOpen,
  children,
}: {
  readonly name: string;
  readonly href: string | undefined;
  readonly onOpen: (() => void) | undefined;
  readonly children: ReactNode;
}) {
  return href === undefined ? (
    <span className="attachment-face" title={name}>
      {children}
    </span>
  ) : (
    <a
      className="attachment-face"
      href={href}
      download={name}
      target="_blank"
      rel="noreferrer"
      data-tooltip={name}
      onClick={(event) => {
        if (!onOpen) return;
        event.preventDefault();
        onOpen();
      }}
    >
      {children}
    </a>
  );
}
