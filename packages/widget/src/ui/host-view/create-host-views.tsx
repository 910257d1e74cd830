/** The views of the host's renderers. This code loads only if the host sets some. */
import { use, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { ComponentType, RefObject } from "react";
import type { NitkaRenderer, NitkaRenderers } from "./renderers.ts";
import { conversationOf, isAsking } from "../../store/selectors.ts";
import { MessagePlaceContext, useChat, useChatState } from "../chat-context.tsx";
import type { HostViewProps, HostViews } from "../chat-context.tsx";
import { mountView } from "./mount-view.ts";
import type { MountedView } from "./mount-view.ts";
import { isSamePart, renderedPart } from "./rendered-part.ts";
import type { RenderedPart } from "./rendered-part.ts";
import { VIEW_MEASURED_MS } from "../../timings.ts";
import { markEdges } from "../primitives/use-scroll-edges.ts";

type AnyRenderer = NitkaRenderer<RenderedPart>;

/** A view, with the renderer that it calls. */
type HostView = ComponentType<HostViewProps> & { readonly render?: AnyRenderer };

/**
 * Creates a view for each renderer. If a name still has the same renderer, its view is reused, and so its content stays.
 *
 * @param before the previous views
 * @param reportError called for each name that is invalid
 */
export function createHostViews(
  renderers: NitkaRenderers,
  before: HostViews,
  reportError: (error: Error) => void,
): HostViews {
  const views: Record<string, HostView> = {};
  for (const [name, render] of Object.entries(renderers as Readonly<Record<string, AnyRenderer | null>>)) {
    // Templates write `undefined` or `null` for a renderer that they leave out.
    if (!render) continue;
    if (/^(tool|data|code):./.test(name)) {
      const key = name.startsWith("code:") ? name.toLowerCase() : name;
      const old: HostView | undefined = before[key];
      views[key] = old?.render === render ? old : Object.assign(createHostView(name, render), { render });
    } else {
      reportError(new TypeError(`Nitka: renderers has a name that is not like tool:…, data:… or code:…: "${name}".`));
    }
  }
  return views;
}

function createHostView(name: string, render: AnyRenderer): ComponentType<HostViewProps> {
  const viewName = name.slice(name.indexOf(":") + 1);
  /** The host's container in the part's place. After an error in the host's code the widget's own view is shown. */
  return function HostView({ part, children }) {
    const { actions, locale, reportError, signal } = useChat();
    const place = use(MessagePlaceContext);
    const [failed, setFailed] = useState(false);
    const slotName = useId();
    const slot = useRef<HTMLSlotElement>(null);
    const view = useRef<MountedView<RenderedPart>>(undefined);
    const toolCallId = part.type === "tool-call" ? part.toolCallId : undefined;
    const call = useChatState((state) =>
      toolCallId === undefined ? undefined : conversationOf(state, place.threadId).run?.calls?.[toolCallId],
    );
    const rendered = useSame(renderedPart(part, place.running, call));
    const latest = useRef({ place, rendered });
    useLayoutEffect(() => {
      latest.current = { place, rendered };
    });

    useLayoutEffect(() => {
      const root = slot.current?.getRootNode();
      if (failed || !(root instanceof ShadowRoot)) return undefined;
      const { host } = root;
      const { threadId } = latest.current.place;
      const mounted = mountView({
        host,
        slot: slotName,
        render,
        part: latest.current.rendered,
        api: {
          threadId,
          get messageId() {
            return latest.current.place.messageId;
          },
          locale,
          get colorScheme() {
            return colorSchemeOf(host);
          },
          async send(text) {
            if (signal.aborted) throw new Error("Nitka: the widget is destroyed.");
            return (await actions.host()).send(text, { threadId });
          },
          async answer(output) {
            if (signal.aborted) throw new Error("Nitka: the widget is destroyed.");
            if (toolCallId === undefined) throw new Error("Nitka: only a tool call can be answered.");
            return actions.answerTool(threadId, toolCallId, output);
          },
        },
        onError(cause) {
          const reason = cause instanceof Error ? cause.message : String(cause);
          reportError(new Error(`Nitka: the renderer "${name}" failed: ${reason}`, { cause }));
          setFailed(true);
        },
      });
      view.current = mounted;
      // A new object with the same content, so that the view is drawn again in the new colours.
      const stop = watchColorScheme(host, () => mounted.update({ ...latest.current.rendered }));
      return () => {
        stop();
        mounted.end();
      };
    }, [actions, failed, locale, reportError, signal, slotName, toolCallId]);
    useLayoutEffect(() => view.current?.update(rendered), [rendered]);
    useViewEdges(slot, viewName);

    if (failed) return children;
    return (
      <>
        <div className="host-view">
          <slot ref={slot} name={slotName} />
        </div>
        {/* Only the widget's own view asks for approval. */}
        {isAsking(call) && children}
      </>
    );
  };
}

/** Returns the previous part as long as its content is equal. */
function useSame(part: RenderedPart): RenderedPart {
  const [last, setLast] = useState(part);
  if (isSamePart(last, part)) return last;
  setLast(part);
  return part;
}

const DARK = "(prefers-color-scheme: dark)";

/** The colour scheme of a widget's element. */
function colorSchemeOf(host: Element): "light" | "dark" {
  const scheme = host.getAttribute("color-scheme");
  if (scheme === "light" || scheme === "dark") return scheme;
  return matchMedia(DARK).matches ? "dark" : "light";
}

/**
 * Calls back when that scheme changes, because the host has set another or the visitor's system has changed. Returns a function
 * that stops it.
 */
function watchColorScheme(host: Element, onChange: () => void): () => void {
  let shown = colorSchemeOf(host);
  const compare = () => {
    const now = colorSchemeOf(host);
    if (now === shown) return;
    shown = now;
    onChange();
  };
  const media = matchMedia(DARK);
  const observer = new MutationObserver(compare);
  observer.observe(host, { attributeFilter: ["color-scheme"] });
  media.addEventListener("change", compare);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", compare);
  };
}

/**
 * Makes a host's view usable by keys while it is too wide. Its container keeps the width of the thread whatever its content is,
 * so changes inside it are watched too.
 *
 * @param slot the slot of the container; the element around it scrolls
 */
function useViewEdges(slot: RefObject<HTMLSlotElement | null>, label: string): void {
  useEffect(() => {
    const { current } = slot;
    const frame = current?.parentElement;
    if (!frame) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      timer = undefined;
      markEdges(frame, label);
    };
    const resizes = new ResizeObserver(update);
    const changes = new MutationObserver(() => {
      timer ??= setTimeout(update, VIEW_MEASURED_MS);
    });
    const watch = () => {
      resizes.disconnect();
      changes.disconnect();
      for (const element of [frame, ...current.assignedElements()]) resizes.observe(element);
      for (const container of current.assignedElements()) {
        changes.observe(container, { subtree: true, childList: true, attributes: true, characterData: true });
      }
    };
    watch();
    current.addEventListener("slotchange", watch);
    frame.addEventListener("scroll", update, { passive: true });
    return () => {
      clearTimeout(timer);
      resizes.disconnect();
      changes.disconnect();
      current.removeEventListener("slotchange", watch);
      frame.removeEventListener("scroll", update);
    };
  }, [slot, label]);
}
