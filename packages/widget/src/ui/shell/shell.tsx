import type { ComponentType } from "react";
import { useChat } from "../chat-context.tsx";
import { takeDrag } from "../composer/file-drop-area.tsx";
import { MarkdownProvider } from "../markdown/markdown-provider.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { ErrorBoundary } from "../primitives/error-boundary.tsx";
import { inNewTab } from "../primitives/outward-link.tsx";
import { TooltipProvider } from "../primitives/tooltips.tsx";
import { isRightToLeft } from "../../i18n/language-of.ts";
import { Frame } from "./frame.tsx";

/**
 * The whole view, inline in the page or behind a launcher.
 *
 * @param Launcher the launcher's button and panel; not given, and not loaded, for an inline widget
 */
export function Shell({ Launcher }: { readonly Launcher?: ComponentType | undefined }) {
  const { layout, language, words, reportError } = useChat();
  return (
    // A file that is dropped beside the chat, for example on the launcher's button, must not open in place of the page.
    <div
      className="shell"
      part="shell"
      role="presentation"
      lang={language}
      dir={isRightToLeft(language) ? "rtl" : "ltr"}
      data-layout={layout}
      onDragOver={takeDrag}
      onDrop={takeDrag}
    >
      <ErrorBoundary onError={reportError} fallback={showBroken}>
        <TooltipProvider>
          <AnnouncerProvider>
            <MarkdownProvider>{Launcher ? <Launcher /> : <Frame />}</MarkdownProvider>
            <span id={inNewTab["aria-describedby"]} hidden>
              {words.shell.newTab}
            </span>
          </AnnouncerProvider>
        </TooltipProvider>
      </ErrorBoundary>
    </div>
  );
}

function showBroken(_: Error, retry: () => void) {
  return <BrokenShell onRetry={retry} />;
}

/** Shown in place of the whole view if rendering it throws. */
function BrokenShell({ onRetry }: { readonly onRetry: () => void }) {
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
