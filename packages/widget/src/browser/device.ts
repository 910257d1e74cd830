type NavigatorLike = Pick<Navigator, "userAgent" | "maxTouchPoints">;

/** iPhone, iPad and iPod, and the iPad that calls itself a Mac: no Mac has a touch screen. */
export function isIos({ userAgent, maxTouchPoints }: NavigatorLike): boolean {
  return /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes("Macintosh") && maxTouchPoints > 1);
}

export function prefersReducedMotion(): boolean {
  return globalThis.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
