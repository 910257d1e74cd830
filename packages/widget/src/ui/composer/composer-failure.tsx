import type { Failure } from "../../store/state.ts";
import { useChat, useChatState } from "../chat-context.tsx";
import { failureText } from "../failure-text.ts";

/** Why a message was not sent or a file not attached. It stands in the composer, whose text and files are kept. */
export function ComposerFailure({
  failure,
  onRetry,
}: {
  readonly failure: Failure;
  readonly onRetry: (() => void) | undefined;
}) {
  const { words, locale } = useChat();
  const config = useChatState((state) => state.config);
  const isAboutFile = failure.kind.startsWith("attachment");
  return (
    <div className="composer-failure" role="alert">
      <p>
        {isAboutFile ? failure.detail && `${failure.detail}: ` : `${words.composer.sendFailed} `}
        {failureText(failure, words, locale, config)}
      </p>
      {!isAboutFile && onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          {words.message.retry}
        </button>
      )}
    </div>
  );
}
