import { useChat, useChatState } from "../chat-context.tsx";
import { useAnnounced } from "../primitives/announcer.tsx";

/** Says that there is no network, and that a message will be sent later. */
export function OfflineNote() {
  const { words } = useChat();
  const offline = useChatState((state) => state.offline);
  const text = offline ? words.composer.offline : "";
  useAnnounced(text);
  return text && <p className="offline-note">{text}</p>;
}
