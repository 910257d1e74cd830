type NavigatorLike = Pick<Navigator, "userAgent" | "maxTouchPoints">;

/** Whether this is an iPhone, iPad or iPod. An iPad may report that it is a Mac, but no Mac has a touch screen. */
export function isIos({ userAgent, maxTouchPoints }: NavigatorLike): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

export function prefersReducedMotion(): boolean {
  return globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
