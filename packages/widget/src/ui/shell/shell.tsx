import type { ComponentType } from "react";
import { useChat } from "../chat-context.tsx";
import { MarkdownProvider } from "../markdown/markdown-provider.tsx";
import { AnnouncerProvider } from "../primitives/announcer.tsx";
import { ErrorBoundary } from "../primitives/error-boundary.tsx";
import { TooltipProvider } from "../primitives/tooltips.tsx";
import { BrokenShell } from "./broken-shell.tsx";
import { Frame } from "./frame.tsx";

/**
 * The whole widget: in its place on the page, or behind a floating button.
 *
 * @param Launcher the button and its panel, whose code an inline widget does without
 */
export function Shell({ Launcher }: { readonly Launcher?: ComponentType | undefined }) {
  const { layout, locale, reportError } = useChat();
  return (
    <div className="shell" part="shell" lang={locale} data-layout={layout}>
      <ErrorBoundary onError={reportError} fallback={showBroken}>
        <TooltipProvider>
          <AnnouncerProvider>
            <MarkdownProvider>{Launcher ? <Launcher /> : <Frame />}</MarkdownProvider>
          </AnnouncerProvider>
        </TooltipProvider>
      </ErrorBoundary>
    </div>
  );
}

function showBroken(_: Error, retry: () => void) {
  return <BrokenShell onRetry={retry} />;
}
