import { useChat } from "../chat-context.tsx";

/** Shown in place of the whole view when rendering it throws. */
export function BrokenShell({ onRetry }: { readonly onRetry: () => void }) {
  const { words } = useChat();
  return (
    <div className="frame broken-shell" role="alert">
      <p className="failure-title">{words.shell.broken}</p>
      <p className="failure-advice">{words.shell.brokenAdvice}</p>
      <button type="button" className="button" onClick={onRetry}>
        {words.shell.retry}
      </button>
    </div>
  );
}
