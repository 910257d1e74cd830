import type { Failure } from "../../store/state.ts";
import { useChat } from "../chat-context.tsx";
import { useAnnounced } from "../primitives/announcer.tsx";
import { useFailureText } from "../use-failure-text.ts";

/** Why a message was not sent or a file not attached. It stands in the composer, whose text and files are kept. */
export function ComposerFailure({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry: (() => void) | undefined;
}) {
  const { words } = useChat();
  const failureText = useFailureText();
  const isAboutFile = failure.kind.startsWith("attachment");
  const what = isAboutFile ? failure.detail && `${failure.detail}:` : words.composer.sendFailed;
  const text = [what, failureText(failure)].filter(Boolean).join(" ");
  useAnnounced(text);
  return (
    <div className="composer-failure">
      <p>{text}</p>
      {!isAboutFile && onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {words.message.retry}
        </button>
      )}
    </div>
  );
}
