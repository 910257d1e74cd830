import type { Message, MessageStatus, Role } from "@nitka/protocol";
import type { Branch } from "@nitka/protocol/branch";
import { partsOf } from "@nitka/protocol/message";
import { createElement, memo } from "react";
import type { ComponentType } from "react";
import { useChat } from "../chat-context.tsx";
import { InternalError } from "../internal-error.ts";
import { ContentBoundary } from "../primitives/failure-note.tsx";
import { AssistantMessage } from "./assistant-message.tsx";
import { UserMessage } from "./user-message.tsx";
import { MessageParts } from "../parts/message-parts.tsx";

const views = {
  user: UserMessage,
  assistant: AssistantMessage,
  system: SystemMessage,
} satisfies Record<Role, ComponentType<{ readonly entry: Branch }>>;

const statuses = { running: true, complete: true, incomplete: true } satisfies Record<MessageStatus["type"], true>;

/** One message of the shown branch. */
export const MessageView = memo(function MessageView({ entry }: { readonly entry: Branch }) {
  const { message } = entry;
  return (
    <ContentBoundary resetKey={`${message.id} ${message.status?.type} ${partsOf(message).length}`}>
      <KnownMessage entry={entry} />
    </ContentBoundary>
  );
});

function KnownMessage({ entry }: { readonly entry: Branch }) {
  return createElement(viewOf(entry.message), { entry });
}

function viewOf({ id, role, status }: Message): ComponentType<{ readonly entry: Branch }> {
  if (!Object.hasOwn(views, role)) {
    throw new InternalError(`Unknown role "${role}" of message "${id}".`);
  }
  if (status && !Object.hasOwn(statuses, status.type)) {
    throw new InternalError(`Unexpected status "${status.type}" of message "${id}".`);
  }
  return views[role];
}

/** A note that neither the visitor nor the assistant wrote. */
function SystemMessage({ entry: { message } }: { readonly entry: Branch }) {
  const { words } = useChat();
  return (
    <article className="message system-message" data-message aria-label={words.message.fromSystem}>
      <MessageParts messageId={message.id} author="system" parts={partsOf(message)} running={false} />
    </article>
  );
}
