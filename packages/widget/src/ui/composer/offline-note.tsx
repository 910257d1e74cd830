import { useChat, useChatState } from "../chat-context.tsx";

/**
 * Says that there is no network, and that a message will be sent later. The element is always mounted: screen readers
 * announce what is added to a live region, not a region that is added.
 */
export function OfflineNote() {
  const { words } = useChat();
  const offline = useChatState((state) => state.offline);
  return <output className="offline-note">{offline && words.composer.offline}</output>;
}
