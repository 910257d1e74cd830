import type { Message } from "@nitka/protocol";
import { useChat } from "../chat-context.tsx";
import { MessageFailure } from "./message-failure.tsx";

/** How an answer ended, when it did not end well. */
export function MessageEnd({ message }: { readonly message: Message }) {
  const { words } = useChat();
  const { status } = message;
  if (status?.type !== "incomplete") return null;
  if (status.reason === "cancelled") return <p className="message-note">{words.message.cancelled}</p>;
  return <MessageFailure message={message} title={titleOf(status, words.message)} />;
}

function titleOf(
  { reason, error }: { readonly reason: string; readonly error?: string },
  words: { readonly failed: string; readonly interrupted: string; readonly incomplete: string },
): string {
  if (error) return error;
  if (reason === "error") return words.failed;
  return reason === "interrupted" ? words.interrupted : words.incomplete;
}
