/** A parsed text. This file and its imports are a chunk. */
import { memo, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Block } from "../../markdown/block.ts";
import type { FeedClock } from "../../markdown/markdown-feed.ts";
import { createMarkdownFeed } from "../../markdown/markdown-feed.ts";
import { languageOf } from "../../i18n/language-of.ts";
import type { PartOf } from "../chat-context.tsx";
import type { Appended } from "../../store/state.ts";
import { BlockView } from "./block-view.tsx";
import { FootnotesProvider } from "./footnotes-context.tsx";
import { FootnotesSection } from "./footnotes-section.tsx";
import { useCitations } from "./use-citations.ts";
import { loadMath, mathCode } from "./math-code.ts";
import { renderList } from "./render-list.ts";
import { STREAM_REST_MS } from "../../timings.ts";

export interface MarkdownProps {
  readonly text: string;
  /** Whether the text is still being written. */
  readonly streaming: boolean;
  /** The text that the last frame added. The parser then reads only that. */
  readonly appended?: Appended | undefined;
  /** Distinguishes the ids of footnotes of different messages. */
  readonly messageId: string;
  /** The sources that the text cites by number. More may arrive. */
  readonly cited?: readonly PartOf<"source">[] | undefined;
}

/** The length of the beginning that is enough to detect a text's language. */
const LANGUAGE_SAMPLE_CHARS = 2000;

const clock: FeedClock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function DocumentView({ text, streaming, appended, messageId, cited }: MarkdownProps) {
  const [feed] = useState(() => {
    const created = createMarkdownFeed(clock, mathCode()?.syntax);
    // The text is written before the first render. Otherwise an old message would change its height after it is mounted.
    created.write({ text, streaming });
    return created;
  });
  const citations = useCitations(feed, cited, streaming);
  useLayoutEffect(() => feed.write({ text, streaming, appended }), [feed, text, streaming, appended]);
  const snapshot = useSyncExternalStore(feed.subscribe, feed.snapshot);
  useLayoutEffect(() => feed.rendered(snapshot), [feed, snapshot]);
  const { wantsMath } = snapshot;
  useEffect(() => {
    // If this code does not load, the formulas are shown as they were written.
    if (wantsMath)
      loadMath().then(
        ({ syntax }) => feed.readMath(syntax),
        () => undefined,
      );
  }, [feed, wantsMath]);
  const viewId = useId();
  const idPrefix = useMemo(() => `${messageId}-${viewId}`.replaceAll(/[^\w-]/g, "_"), [messageId, viewId]);
  // The beginning is enough to detect the language, so a long answer is not read again with each delta.
  const sample = text.slice(0, LANGUAGE_SAMPLE_CHARS);
  const language = useMemo(() => languageOf(sample), [sample]);
  const resting = useResting(text, streaming);
  const place = useRef<HTMLDivElement>(null);
  const view = (
    <div
      ref={place}
      className="markdown"
      data-markdown
      dir="auto"
      lang={language}
      data-streaming={streaming || undefined}
      data-resting={resting || undefined}
    >
      <FootnotesProvider footnotes={snapshot.footnotes} idPrefix={idPrefix}>
        {renderList(snapshot.blocks, (blocks) => (
          <BlockGroup blocks={blocks} />
        ))}
        <FootnotesSection />
      </FootnotesProvider>
    </div>
  );
  return (
    <>
      {view}
      {citations && cited && <citations.CitationCard place={place} sources={cited} />}
    </>
  );
}

/**
 * Blocks that are compared and laid out together. A group with unchanged blocks is the same array, so React skips it with one
 * comparison, and the browser skips its element in layout.
 */
const BlockGroup = memo(function BlockGroup({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className="block-group">
      {renderList(blocks, (block) => (
        <BlockView block={block} />
      ))}
    </div>
  );
});

/** Whether a text that is being written has stopped growing for a while. */
function useResting(text: string, streaming: boolean): boolean {
  const [restingText, setRestingText] = useState<string>();
  useEffect(() => {
    if (!streaming) return undefined;
    const timer = setTimeout(() => setRestingText(text), STREAM_REST_MS);
    return () => clearTimeout(timer);
  }, [text, streaming]);
  return streaming && restingText === text;
}
