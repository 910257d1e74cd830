/** The distance from the end, in pixels, that still counts as the end. */
const END_TOLERANCE_PX = 24;

/** Keeps a scroller at its end while its content grows. Scrolling up stops that, and scrolling back to the end resumes it. */
export interface ScrollFollower {
  /**
   * @param onChange called when following begins and stops
   * @returns a function that detaches the follower
   */
  readonly attach: (viewport: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void) => () => void;
  /** Scrolls to the end and follows it from then on. */
  readonly followEnd: (options: { readonly smooth: boolean }) => void;
  /** Keeps the scroll position while the content changes. */
  readonly stopFollowing: () => void;
}

/** A follower that can be passed on before its elements exist. Until it is attached, its methods do nothing. */
export function createScrollFollower(): ScrollFollower {
  let attached: Pick<ScrollFollower, "followEnd" | "stopFollowing"> | undefined;
  return {
    attach(viewport, content, onChange) {
      const follower = attachFollower(viewport, content, onChange);
      attached = follower;
      return () => {
        attached = undefined;
        follower.detach();
      };
    },
    followEnd: (options) => attached?.followEnd(options),
    stopFollowing: () => attached?.stopFollowing(),
  };
}

function attachFollower(viewport: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void) {
  let following = true;
  let lastTop = viewport.scrollTop;
  const controller = new AbortController();
  const { signal } = controller;

  const setFollowing = (next: boolean) => {
    if (next === following) return;
    following = next;
    onChange(next);
  };
  const jumpToEnd = () => {
    viewport.scrollTop = viewport.scrollHeight;
    lastTop = viewport.scrollTop;
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = viewport;
    // A hidden widget has no scroll end.
    if (clientHeight === 0) return;
    const below = scrollHeight - clientHeight - scrollTop;
    // Shrinking content moves the scroller up too, but leaves it at the end.
    if (scrollTop < lastTop && below > 1) setFollowing(false);
    else if (below <= END_TOLERANCE_PX) setFollowing(true);
    lastTop = scrollTop;
  };
  // The wheel event comes before the first scroll event. An answer that grows in between would scroll back to the end.
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && viewport.scrollTop > 0) setFollowing(false);
  };
  viewport.addEventListener("scroll", onScroll, { passive: true, signal });
  viewport.addEventListener("wheel", onWheel, { passive: true, signal });
  const observer = new ResizeObserver(() => (following ? jumpToEnd() : onScroll()));
  observer.observe(content);
  observer.observe(viewport);
  jumpToEnd();

  return {
    followEnd({ smooth }: { readonly smooth: boolean }) {
      setFollowing(true);
      // Over a long distance a smooth scroll takes seconds.
      const far = viewport.scrollHeight - viewport.scrollTop > 4 * viewport.clientHeight;
      if (smooth && !far && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        viewport.scrollTo({ top: viewport.scrollHeight, behavior: "smooth" });
      } else jumpToEnd();
    },
    stopFollowing: () => setFollowing(false),
    detach() {
      controller.abort();
      observer.disconnect();
    },
  };
}
