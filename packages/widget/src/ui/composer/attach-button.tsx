import { useRef } from "react";
import { useChat } from "../chat-context.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/** Opens the browser's own choice of files. */
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
          // The same file can be chosen again after it was taken away.
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
