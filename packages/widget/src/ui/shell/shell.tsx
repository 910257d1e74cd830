import { useChat } from "../chat-context.tsx";
import { MarkdownProvider } from "../markdown/markdown-provider.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { ErrorBoundary } from "../primitives/error-boundary.tsx";
import { TooltipProvider } from "../primitives/tooltips.tsx";
import { BrokenShell } from "./broken-shell.tsx";
import { Frame } from "./frame.tsx";
import { Launcher } from "./launcher.tsx";

/** The whole widget: in its place on the page, or behind a floating button. */
export function Shell() {
  const { layout, locale, reportError } = useChat();
  return (
    <div className="shell" part="shell" lang={locale} data-layout={layout}>
      <ErrorBoundary onError={reportError} fallback={showBroken}>
        <TooltipProvider>
          <AnnouncerProvider>
            <MarkdownProvider>{layout === "launcher" ? <Launcher /> : <Frame />}</MarkdownProvider>
          </AnnouncerProvider>
        </TooltipProvider>
      </ErrorBoundary>
    </div>
  );
}

function showBroken(_: Error, retry: () => void) {
  return <BrokenShell onRetry={retry} />;
}
