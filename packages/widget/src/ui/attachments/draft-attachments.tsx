import { useEffect } from "react";
import type { DraftAttachment } from "../../store/state.ts";
import { useChat } from "../chat-context.tsx";
import { useFailureText } from "../failure-text.ts";
import { useAnnounced, useAnnouncer } from "../primitives/announcer.tsx";
import { Icon } from "../primitives/icon.tsx";
import { AttachmentTile } from "./attachment-tile.tsx";

/** The attachments of a draft. Each shows the progress of its upload and can be removed. */
export function DraftAttachments({
  attachments,
  onRemove,
  onRetry,
}: {
  readonly attachments: readonly DraftAttachment[];
  readonly onRemove: (attachmentId: string) => void;
  readonly onRetry: (attachmentId: string) => void;
}) {
  const { words } = useChat();
  if (attachments.length === 0) return null;
  const [first, ...others] = attachments;
  return (
    <>
      <ul
        className="attachments"
        aria-label={words.composer.attachments}
        data-single={(first?.type === "image" && others.length === 0) || undefined}
      >
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <Draft attachment={attachment} onRemove={onRemove} onRetry={onRetry} />
          </li>
        ))}
      </ul>
      {attachments.map(
        (attachment) => attachment.status === "failed" && <FailedUpload key={attachment.id} attachment={attachment} />,
      )}
    </>
  );
}

function FailedUpload({
  attachment: { file, failure },
}: {
  readonly attachment: Extract<DraftAttachment, { readonly status: "failed" }>;
}) {
  const { words } = useChat();
  const failureText = useFailureText();
  const text = `${words.attachments.failed(file.name)} ${failureText(failure)}`;
  useAnnounced(text);
  return <p className="attachment-failure">{text}</p>;
}

function Draft({
  attachment,
  onRemove,
  onRetry,
}: {
  readonly attachment: DraftAttachment;
  readonly onRemove: (attachmentId: string) => void;
  readonly onRetry: (attachmentId: string) => void;
}) {
  const { words } = useChat();
  const { announce, markAnnounced } = useAnnouncer();
  const { id, file, type, preview, status } = attachment;
  const { name } = file;
  const isAdded = status === "local" || status === "uploaded";
  useEffect(() => {
    if (isAdded && markAnnounced(id)) announce(words.attachments.added(name));
  }, [announce, isAdded, markAnnounced, words, id, name]);
  const retry = `${words.message.retry}: ${name}`;
  return (
    <AttachmentTile
      type={type}
      name={name}
      picture={preview}
      state={status === "uploading" || status === "failed" ? status : undefined}
    >
      {attachment.status === "uploading" && (
        <progress
          className="attachment-progress"
          aria-label={words.composer.uploading(name)}
          value={attachment.progress}
          max={1}
        />
      )}
      {status === "failed" && (
        <button
          type="button"
          className="attachment-retry"
          aria-label={retry}
          data-tooltip={retry}
          onClick={() => onRetry(id)}
        >
          <Icon name="regenerate" />
        </button>
      )}
      <button
        type="button"
        className="attachment-remove"
        aria-label={`${words.composer.removeAttachment}: ${name}`}
        data-tooltip={words.composer.removeAttachment}
        onClick={() => {
          onRemove(id);
          announce(words.attachments.removed(name));
        }}
      >
        <Icon name="close" />
      </button>
    </AttachmentTile>
  );
}
