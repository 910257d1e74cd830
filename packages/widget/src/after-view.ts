/** What a visitor needs once the first view is there, as one chunk that loads after it. */
import { offerLinkClicks } from "./effects/offer-link-clicks.ts";
import { regionKeys } from "./effects/region-keys.ts";
import { sidebarShortcut } from "./effects/sidebar-shortcut.ts";
import { watchWidth } from "./effects/watch-width.ts";
import { focusPressed } from "./ui/primitives/focus-pressed.ts";
import { restoreAfterMove } from "./ui/primitives/restore-after-move.ts";

export { startTooltips } from "./ui/primitives/start-tooltips.ts";

type Options = Parameters<typeof sidebarShortcut>[0] &
  Parameters<typeof regionKeys>[0] &
  Parameters<typeof watchWidth>[0];

/** @param options `signal` ends all of it */
export function startAfterView(options: Options): void {
  const { root, signal } = options;
  watchWidth(options);
  sidebarShortcut(options);
  regionKeys(options);
  offerLinkClicks(root, signal);
  focusPressed(root, signal);
  restoreAfterMove(root, signal);
}
