import { useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/** Opens the browser's file dialog. */
export function AttachButton({
  accept,
  disabled,
  onFiles,
}: {
  readonly accept: string;
  readonly disabled: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const { words } = useChat();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={words.composer.attach}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Otherwise choosing a file again after it was removed would be no change.
          event.currentTarget.value = "";
          onFiles(files);
        }}
      />
      <IconButton
        icon="attach"
        label={words.composer.attach}
        className="composer-attach"
        disabled={disabled}
        onClick={() => input.current?.click()}
      />
    </>
  );
}
