import { useChat } from "../chat-context.tsx";
import { Disclosure } from "../primitives/disclosure.tsx";

/** Shown in place of a part that cannot be shown. */
export function BrokenPart({ error }: { readonly error: Error }) {
  const { words } = useChat();
  return (
    <div className="broken-message" role="alert">
      <p>{words.message.broken}</p>
      <Disclosure title={words.message.details}>{() => <p className="failure-detail">{error.message}</p>}</Disclosure>
    </div>
  );
}
