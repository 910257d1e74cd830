import { useEffect } from "react";
import type { MarkdownProps } from "./document-view.tsx";
import { useDocumentView } from "./markdown-provider.tsx";

/** A text in markdown. Until the parser has loaded, its source is shown. */
export function Markdown(props: MarkdownProps) {
  const { DocumentView, load } = useDocumentView();
  // Each text that is mounted retries to load the parser after a failure.
  useEffect(load, [load]);
  if (DocumentView) return <DocumentView {...props} />;
  return (
    <div className="markdown" dir="auto" lang="" data-streaming={props.streaming || undefined}>
      <p className="markdown-source">{props.text}</p>
    </div>
  );
}
