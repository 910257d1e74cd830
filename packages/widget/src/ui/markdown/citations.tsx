/** Citations: links from a text to its sources, and the card that shows a source. This chunk loads with the first citation. */
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
import type { Chat, PartOf } from "../chat-context.tsx";
import { adoptStyles } from "../primitives/adopt-styles.ts";
import css from "./citations.css?inline";

/** The citations of one text. */
export interface Citations {
  readonly syntax: CitationSyntax;
  /**
   * Adds sources. Returns whether the text has to be read again: it has cited one of the new sources before, or, once it is no
   * longer `streaming`, a source that will not come.
   */
  readonly add: (sources: readonly PartOf<"source">[], streaming: boolean) => boolean;
}

interface CardProps {
  /** The text's element. */
  readonly place: RefObject<HTMLElement | null>;
  readonly sources: readonly PartOf<"source">[];
}

/**
 * Makes the feed read the citations of these sources.
 *
 * @param before the result for fewer sources of the same text
 */
export function readCitations(
  feed: MarkdownFeed,
  before: Citations | undefined,
  sources: readonly PartOf<"source">[],
  streaming: boolean,
  { words, locale }: Pick<Chat, "words" | "locale">,
): Citations {
  if (before?.add(sources, streaming) === false) return before;
  // The page's own text is empty if its function fails.
  const nameOf: CitationWords["source"] = (...source) =>
    words.citation?.source?.(...source) || citationWords[locale].source(...source);
  const citations = createCitations(sources, streaming, nameOf);
  feed.readCitations(citations.syntax);
  return citations;
}

function createCitations(
  sources: readonly PartOf<"source">[],
  mayCome: boolean,
  nameOf: CitationWords["source"],
): Citations {
  const known = new Map<number, { readonly href: string; readonly label: string }>();
  const syntax = createCitationSyntax(known, mayCome);
  const add = (parts: readonly PartOf<"source">[], streaming: boolean): boolean => {
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

/** The number that has the pointer or the focus, and its source. */
interface Shown {
  readonly anchor: HTMLElement;
  readonly source: PartOf<"source">;
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
    // A press also focuses the link. A card that opened under the pointer would get the release, and there would be no click.
    let isPressed = false;
    text.addEventListener("pointerdown", () => ((isPressed = true), hide()), { signal, capture: true });
    document.addEventListener("pointerup", () => (isPressed = false), { signal, capture: true });
    document.addEventListener("pointercancel", () => (isPressed = false), { signal, capture: true });
    text.addEventListener("focusin", (event) => isPressed || show(event, 0), { signal });
    text.addEventListener("focusout", hide, { signal });
    // The pointer may move from the number to its card and rest there.
    for (const element of [text, card]) {
      element.addEventListener("pointerout", () => soon(() => setShown(undefined)), { signal });
    }
    card.addEventListener("pointerover", () => clearTimeout(timer), { signal });
    // The focus may scroll its number into view. The card then moves with it.
    const onScroll = () => !text.querySelector("[data-citation]:focus") && hide();
    text.getRootNode().addEventListener("scroll", onScroll, { signal, capture: true, passive: true });
    const onEscape = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !card.matches(":popover-open")) return;
      // Escape does only one thing: it closes the card, without stopping the answer or closing the panel.
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
    // This code has loaded long before, so this happens before the next frame.
    const put = () =>
      void afterView.then((loaded) => loaded.placePopover(card, anchor, { side: "above", align: "start" }));
    put();
    const root = anchor.getRootNode();
    root.addEventListener("scroll", put, { capture: true, passive: true });
    return () => {
      root.removeEventListener("scroll", put, { capture: true });
      card.hidePopover();
      // A link that opens in the page's tab has no description.
      if (before === null) anchor.removeAttribute("aria-describedby");
      else anchor.setAttribute("aria-describedby", before);
    };
  }, [shown, id, afterView]);

  const { title, url = "" } = shown?.source ?? {};
  const [heading, quote] = [textOf(shown?.source.heading), textOf(shown?.source.quote)];
  return (
    <div ref={popover} id={id} className="citation-card" role="tooltip" popover="manual">
      <b dir="auto">{title?.trim() || hostOf(url) || url}</b>
      <span dir="auto">{[hostOf(url), heading].filter(Boolean).join(" · ")}</span>
      {quote && <q dir="auto">{quote}</q>}
    </div>
  );
}

/** The texts beside a number come from a backend and are not validated. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function hostOf(url: string): string {
  return URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI).host : "";
}
