import { useChat, useChatState } from "../chat-context.tsx";

/** Says that there is no network, and what becomes of a message. It stands there empty, so that readers hear it fill. */
export function OfflineNote() {
  const { words } = useChat();
  const offline = useChatState((state) => state.offline);
  return <output className="offline-note">{offline && words.composer.offline}</output>;
}
