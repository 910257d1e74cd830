import { useChat } from "../chat-context.tsx";

/** The whole widget: sidebar, header and the active conversation. */
export function Shell() {
  const { layout } = useChat();
  return <div className="shell" data-layout={layout} />;
}
