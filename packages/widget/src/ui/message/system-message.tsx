import type { Branch } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";
import { useChat } from "../chat-context.tsx";
import { MessageParts } from "../parts/message-parts.tsx";

/** A note that neither the visitor nor the assistant wrote. */
export function SystemMessage({ entry: { message } }: { readonly entry: Branch }) {
  const { words } = useChat();
  return (
    <article className="message system-message" data-message aria-label={words.message.fromSystem}>
      <MessageParts messageId={message.id} author="system" parts={partsOf(message)} running={false} />
    </article>
  );
}
