/** A parsed answer. This file and what it imports are a chunk of their own. */
import { memo, useId, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { Block } from "../../markdown/block.ts";
import type { FeedClock } from "../../markdown/markdown-feed.ts";
import { createMarkdownFeed } from "../../markdown/markdown-feed.ts";
import type { Appended } from "../../store/state.ts";
import { BlockView } from "./block-view.tsx";
import { FootnotesProvider } from "./footnotes-context.tsx";
import { FootnotesSection } from "./footnotes-section.tsx";
import { inOrder } from "./in-order.ts";
import { useResting } from "./use-resting.ts";

export interface MarkdownProps {
  readonly text: string;
  /** The text is still being written. */
  readonly streaming: boolean;
  /** What the last frame added: the whole text is then not read again. */
  readonly appended?: Appended | undefined;
  /** Footnotes of different messages have different ids by it. */
  readonly messageId: string;
}

const clock: FeedClock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function DocumentView({ text, streaming, appended, messageId }: MarkdownProps) {
  const [feed] = useState(() => {
    const created = createMarkdownFeed(clock);
    // A finished text is there with the first rendering: nothing jumps when an old message comes into sight.
    created.write({ text, streaming });
    return created;
  });
  useLayoutEffect(() => feed.write({ text, streaming, appended }), [feed, text, streaming, appended]);
  const snapshot = useSyncExternalStore(feed.subscribe, feed.snapshot);
  useLayoutEffect(() => feed.rendered(snapshot), [feed, snapshot]);
  const unique = useId();
  const idPrefix = useMemo(() => `${messageId}-${unique}`.replaceAll(/[^\w-]/g, "_"), [messageId, unique]);
  const resting = useResting(text, streaming);
  return (
    <div
      className="markdown"
      dir="auto"
      lang=""
      data-streaming={streaming || undefined}
      data-resting={resting || undefined}
    >
      <FootnotesProvider footnotes={snapshot.footnotes} idPrefix={idPrefix}>
        {inOrder(snapshot.blocks, (blocks) => (
          <BlockGroup blocks={blocks} />
        ))}
        <FootnotesSection />
      </FootnotesProvider>
    </div>
  );
}

/**
 * Blocks that are compared and laid out together: a group that shows the same is the same array, and the browser passes
 * over an element in which nothing has changed.
 */
const BlockGroup = memo(function BlockGroup({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className="block-group">
      {inOrder(blocks, (block) => (
        <BlockView block={block} />
      ))}
    </div>
  );
});
