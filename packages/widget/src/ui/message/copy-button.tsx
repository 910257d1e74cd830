import type { Message } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { COPY_FEEDBACK_MS } from "../../timings.ts";
import { useChat } from "../chat-context.tsx";
import { CopyIconButton } from "../primitives/copy-icon-button.tsx";
import { useFlash } from "../primitives/tooltips.tsx";

/** Copies a message's text. Its icon and tooltip show the result for a moment. */
export function CopyButton({ message }: { readonly message: Message }) {
  const { words } = useChat();
  const flash = useFlash();
  return (
    <CopyIconButton
      text={() => textOf(message)}
      label={words.message.copy}
      copied={words.message.copied}
      shownMs={COPY_FEEDBACK_MS}
      onOutcome={(button, told) => flash(button, told, COPY_FEEDBACK_MS)}
    />
  );
}
