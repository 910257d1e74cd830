import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { loadChunk } from "../../load-chunk.ts";
import type { MarkdownFeed } from "../../markdown/markdown-feed.ts";
import { useChat } from "../chat-context.tsx";
import type { PartOf } from "../chat-context.tsx";
import type { CitationCard, Citations, readCitations } from "./citations.tsx";

interface Code {
  readonly readCitations: typeof readCitations;
  readonly CitationCard: typeof CitationCard;
}

const load = loadChunk(() => import("./citations.tsx"));

/** Set once the code has loaded, so that a text that is mounted later has its citations in its first frame. */
let loaded: Code | undefined;

/**
 * Turns the numbers of sources in a text into links. Until the code has loaded, the numbers stay as they are.
 *
 * @returns the code, once there is a source and the code has loaded
 */
export function useCitations(
  feed: MarkdownFeed,
  sources: readonly PartOf<"source">[] | undefined,
  streaming: boolean,
): Pick<Code, "CitationCard"> | undefined {
  const chat = useChat();
  const [code, setCode] = useState(loaded);
  const citations = useRef<Citations>(undefined);
  const isWanted = sources !== undefined;
  useEffect(() => {
    if (isWanted)
      load().then(
        (chunk) => setCode((loaded = chunk)),
        () => undefined,
      );
  }, [isWanted]);
  // This runs before the text itself is read: a source arrives with the text that cites it, and then parsed text stays.
  useLayoutEffect(() => {
    if (code && sources) citations.current = code.readCitations(feed, citations.current, sources, streaming, chat);
  }, [code, sources, streaming, feed, chat]);
  return isWanted ? code : undefined;
}
