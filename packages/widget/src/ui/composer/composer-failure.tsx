import type { Failure } from "../../store/state.ts";
import { useChat } from "../chat-context.tsx";
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
  return (
    <div className="composer-failure" role="alert">
      <p>
        {isAboutFile ? failure.detail && `${failure.detail}: ` : `${words.composer.sendFailed} `}
        {failureText(failure)}
      </p>
      {!isAboutFile && onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {words.message.retry}
        </button>
      )}
    </div>
  );
}
