import { useChat } from "../chat-context.tsx";
import { useAnnounced } from "./announcer.tsx";
import { Disclosure } from "./disclosure.tsx";

/** Shown in place of a message, or of a part of one, that cannot be shown. */
export function BrokenNote({ error }: { readonly error: Error }) {
  const { words } = useChat();
  useAnnounced(words.message.broken);
  return (
    <div className="broken-message" data-message>
      <p>{words.message.broken}</p>
      <Disclosure title={words.message.details}>{() => <p className="failure-detail">{error.message}</p>}</Disclosure>
    </div>
  );
}
