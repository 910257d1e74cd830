/** Citations: links from a text to its sources, and the card that shows a source. A chunk that loads with the first of them. */
import type { Part } from "@nitka/protocol";
import { useEffect, useLayoutEffect, useId, useRef, useState } from "react";
import type { RefObject } from "react";
import { citationWords } from "../../i18n/citation-words.ts";
import type { CitationWords } from "../../i18n/citation-words.ts";
import type { CitationSyntax } from "../../markdown/citation-node.ts";
import { createCitationSyntax } from "../../markdown/citation-syntax.ts";
import type { MarkdownFeed } from "../../markdown/markdown-feed.ts";
import { safeLink } from "../../markdown/safe-link.ts";
import { CITATION_DELAY_MS } from "../../timings.ts";
import { useChat } from "../chat-context.tsx";
import type { Chat } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import css from "./citations.css?inline";

type SourcePart = Extract<Part, { readonly type: "source" }>;

/** The citations of one text. */
export interface Citations {
  readonly syntax: CitationSyntax;
  /**
   * Adds sources. Returns whether the text has named one of them before, or one that will not come, since the text is no longer
   * `streaming`: then it has to be read again.
   */
  readonly add: (sources: readonly SourcePart[], streaming: boolean) => boolean;
}

interface CardProps {
  /** The text's element. */
  readonly place: RefObject<HTMLElement | null>;
  readonly sources: readonly SourcePart[];
}

/**
 * Has the feed read what the sources are named by.
 *
 * @param before what was returned for fewer sources of the same text
 */
export function readCitations(
  feed: MarkdownFeed,
  before: Citations | undefined,
  sources: readonly SourcePart[],
  streaming: boolean,
  { words, locale }: Pick<Chat, "words" | "locale">,
): Citations {
  if (before?.add(sources, streaming) === false) return before;
  // The page's own text is empty where its function fails.
  const nameOf: CitationWords["source"] = (...source) =>
    words.citation?.source?.(...source) || citationWords[locale].source(...source);
  const citations = createCitations(sources, streaming, nameOf);
  feed.readCitations(citations.syntax);
  return citations;
}

function createCitations(sources: readonly SourcePart[], mayCome: boolean, nameOf: CitationWords["source"]): Citations {
  const known = new Map<number, { readonly href: string; readonly label: string }>();
  const syntax = createCitationSyntax(known, mayCome);
  const add = (parts: readonly SourcePart[], streaming: boolean): boolean => {
    let isNamed = mayCome && !streaming && syntax.missing.size > 0;
    for (const { n = 0, url, title } of parts) {
      const href = safeLink(url);
      if (known.has(n) || !href) continue;
      known.set(n, { href, label: nameOf(n, title?.trim() || hostOf(url) || url) });
      isNamed ||= syntax.missing.has(n);
    }
    return isNamed;
  };
  add(sources, mayCome);
  return { syntax, add };
}

/** Where the pointer or the focus rests. */
interface Shown {
  readonly anchor: HTMLElement;
  readonly source: SourcePart;
}

/** Shows a source beside the number that has the pointer or the focus. */
export function CitationCard({ place, sources }: CardProps) {
  const { afterView } = useChat();
  const popover = useRef<HTMLDivElement>(null);
  const id = useId();
  const [shown, setShown] = useState<Shown>();
  const latest = useRef(sources);
  useLayoutEffect(() => {
    latest.current = sources;
  }, [sources]);

  useLayoutEffect(() => {
    adoptStyles(place.current, css);
  }, [place]);

  useEffect(() => {
    const text = place.current;
    const card = popover.current;
    if (!text || !card) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = (next: () => void, ms = CITATION_DELAY_MS) => {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown(undefined);
    };
    const show = ({ target }: Event, ms?: number) => {
      const anchor = target instanceof Element ? target.closest<HTMLElement>("[data-citation]") : null;
      const number = Number(anchor?.dataset["citation"]);
      const source = latest.current.find(({ n }) => n === number);
      if (anchor && source) soon(() => anchor.isConnected && setShown({ anchor, source }), ms);
    };
    const controller = new AbortController();
    const { signal } = controller;
    const onPointer = (event: PointerEvent) => event.pointerType !== "touch" && show(event);
    text.addEventListener("pointerover", onPointer, { signal });
    // A press focuses the link, too: a card that opens under the pointer would take the release, and nothing is clicked then.
    let isPressed = false;
    text.addEventListener("pointerdown", () => ((isPressed = true), hide()), { signal, capture: true });
    document.addEventListener("pointerup", () => (isPressed = false), { signal, capture: true });
    document.addEventListener("pointercancel", () => (isPressed = false), { signal, capture: true });
    text.addEventListener("focusin", (event) => isPressed || show(event, 0), { signal });
    text.addEventListener("focusout", hide, { signal });
    // The pointer may move from the number to its card, and rest there.
    for (const element of [text, card]) {
      element.addEventListener("pointerout", () => soon(() => setShown(undefined)), { signal });
    }
    card.addEventListener("pointerover", () => clearTimeout(timer), { signal });
    // The focus may scroll its number into view: then the card goes with it.
    const onScroll = () => !text.querySelector("[data-citation]:focus") && hide();
    text.getRootNode().addEventListener("scroll", onScroll, { signal, capture: true, passive: true });
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !card.matches(":popover-open")) return;
      // Escape does one thing: it neither stops the answer nor closes the panel.
      event.preventDefault();
      event.stopPropagation();
      hide();
    };
    document.addEventListener("keydown", onEscape, { signal, capture: true });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [place]);

  useLayoutEffect(() => {
    const card = popover.current;
    if (!card || !shown) return undefined;
    const { anchor } = shown;
    const before = anchor.getAttribute("aria-describedby");
    anchor.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
    card.showPopover();
    // It has loaded long before, and this is before the next frame.
    const put = () =>
      void afterView.then((loaded) => loaded.placePopover(card, anchor, { side: "above", align: "start" }));
    put();
    const root = anchor.getRootNode();
    root.addEventListener("scroll", put, { capture: true, passive: true });
    return () => {
      root.removeEventListener("scroll", put, { capture: true });
      card.hidePopover();
      // One that opens in the page's tab has none of its own.
      if (before === null) anchor.removeAttribute("aria-describedby");
      else anchor.setAttribute("aria-describedby", before);
    };
  }, [shown, id, afterView]);

  const { title, url = "" } = shown?.source ?? {};
  const [heading, quote] = [textOf(shown?.source.heading), textOf(shown?.source.quote)];
  return (
    <div ref={popover} id={id} className="citation-card" role="tooltip" popover="manual">
      <b>{title?.trim() || hostOf(url) || url}</b>
      <span>{[hostOf(url), heading].filter(Boolean).join(" · ")}</span>
      {quote && <q>{quote}</q>}
    </div>
  );
}

/** What stands beside a number is not checked when it comes from a backend. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function hostOf(url: string): string {
  return URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).host : "";
}
