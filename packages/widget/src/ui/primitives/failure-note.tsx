import type { ReactNode } from "react";
import type { Failure } from "../../store/state.ts";
import { useChat } from "../chat-context.tsx";
import { useFailureText } from "../failure-text.ts";
import { useAnnounced } from "./announcer.tsx";
import { Disclosure } from "./disclosure.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { focusComposer } from "./focus.ts";

/** Says what failed and what the visitor can do. It has a retry button and the folded technical text. */
export function FailureNote({
  title,
  failure,
  onRetry,
}: {
  readonly title: string;
  readonly failure?: Failure | undefined;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { words } = useChat();
  const failureText = useFailureText();
  const advice = failure && failureText(failure);
  useAnnounced([title, advice].join(" "));
  return (
    <div className="failure-note">
      <p className="failure-title">{title}</p>
      {advice && <p className="failure-advice">{advice}</p>}
      {onRetry && <RetryButton onRetry={onRetry} />}
      {failure?.detail && (
        <Disclosure title={words.message.details}>
          {() => <p className="failure-detail">{failure.detail}</p>}
        </Disclosure>
      )}
    </div>
  );
}

/** Shown in place of a part of the conversation whose code could not be loaded. */
export function MissingCode({ onRetry }: { readonly onRetry: () => void }) {
  return <FailureNote title={useChat().words.message.broken} onRetry={onRetry} />;
}

/** If rendering a message or a part of one throws, a box takes its place, and the rest of the conversation stays. */
export function ContentBoundary({ resetKey, children }: { readonly resetKey: unknown; readonly children: ReactNode }) {
  const { reportError } = useChat();
  return (
    <ErrorBoundary resetKey={resetKey} onError={reportError} fallback={showBroken}>
      {children}
    </ErrorBoundary>
  );
}

function showBroken(error: Error) {
  return <BrokenNote error={error} />;
}

function BrokenNote({ error }: { readonly error: Error }) {
  const { words } = useChat();
  useAnnounced(words.message.broken);
  return (
    <div className="broken-message" data-message>
      <p>{words.message.broken}</p>
      <Disclosure title={words.message.details}>{() => <p className="failure-detail">{error.message}</p>}</Disclosure>
    </div>
  );
}

export function RetryButton({ onRetry }: { readonly onRetry: () => void }) {
  const { words } = useChat();
  return (
    <button
      type="button"
      className="button"
      onClick={(event) => {
        focusComposer(event.currentTarget);
        onRetry();
      }}
    >
      {words.message.retry}
    </button>
  );
}
