import { englishOf } from "../../i18n/language-of.ts";
import { useChat } from "../chat-context.tsx";
import { Dialog } from "../primitives/dialog.tsx";
import { IconButton } from "../primitives/icon-button.tsx";

/** A dialog with a picture at its full size, or as large as the window allows. */
export function ImagePreview({
  open,
  src,
  name,
  onClose,
}: {
  readonly open: boolean;
  readonly src: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { words, locale } = useChat();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      className="image-preview"
      aria-label={words.attachments.preview}
      lang={englishOf(words.attachments.preview)}
    >
      <header className="image-preview-header">
        <h2 className="image-preview-title">{words.attachments.preview}</h2>
        <IconButton icon="close" lang={locale} label={words.attachments.close} onClick={onClose} />
      </header>
      <img className="image-preview-picture" src={src} alt={name} />
    </Dialog>
  );
}
