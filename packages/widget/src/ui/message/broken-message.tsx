import { useChat } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";

/** Shown in place of a message that cannot be shown. */
export function BrokenMessage({ error }: { readonly error: Error }) {
  const { words } = useChat();
  return (
    <div className="message broken-message" data-message role="alert">
      <p>{words.message.broken}</p>
      <Disclosure title={words.message.details}>{() => <p className="failure-detail">{error.message}</p>}</Disclosure>
    </div>
  );
}
