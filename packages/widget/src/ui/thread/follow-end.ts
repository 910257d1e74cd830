/** Closer to the end than this is at the end. Pixels. */
const NEAR = 24;

/** Keeps a scroller at its end while its content grows, until the reader scrolls up; who comes back is followed again. */
export interface FollowEnd {
  /**
   * @param onChange hears whether the end is followed
   * @returns ends it
   */
  readonly attach: (viewport: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void) => () => void;
  /** Goes to the end and stays there while the thread grows. */
  readonly follow: (glide?: boolean) => void;
  /** Stays where it is. */
  readonly hold: () => void;
}

export function createFollowEnd(): FollowEnd {
  let attached: Pick<FollowEnd, "follow" | "hold"> | undefined;
  return {
    attach(viewport, content, onChange) {
      const scroller = startScroller(viewport, content, onChange);
      attached = scroller;
      return () => {
        attached = undefined;
        scroller.stop();
      };
    },
    follow: (glide) => attached?.follow(glide),
    hold: () => attached?.hold(),
  };
}

function startScroller(viewport: HTMLElement, content: HTMLElement, onChange: (following: boolean) => void) {
  let following = true;
  let lastTop = viewport.scrollTop;
  const controller = new AbortController();
  const { signal } = controller;

  const set = (next: boolean) => {
    if (next === following) return;
    following = next;
    onChange(next);
  };
  const toEnd = () => {
    viewport.scrollTop = viewport.scrollHeight;
    lastTop = viewport.scrollTop;
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = viewport;
    const left = scrollHeight - clientHeight - scrollTop;
    if (scrollTop < lastTop && left > 1) set(false);
    else if (left <= NEAR) set(true);
    lastTop = scrollTop;
  };
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0 && viewport.scrollTop > 0) set(false);
  };
  viewport.addEventListener("scroll", onScroll, { passive: true, signal });
  viewport.addEventListener("wheel", onWheel, { passive: true, signal });
  const observer = new ResizeObserver(() => (following ? toEnd() : onScroll()));
  observer.observe(content);
  observer.observe(viewport);
  toEnd();

  return {
    follow(glide = false) {
      set(true);
      const far = viewport.scrollHeight - viewport.scrollTop > 4 * viewport.clientHeight;
      if (glide && !far && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
        viewport.scrollTo({ top: viewport.scrollHeight, behavior: "smooth" });
      } else toEnd();
    },
    hold: () => set(false),
    stop() {
      controller.abort();
      observer.disconnect();
    },
  };
}
