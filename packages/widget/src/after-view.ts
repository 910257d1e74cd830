/** What the widget needs once the first view is shown. It is one chunk, which loads after that view. */
import type { Actions } from "./actions/actions.ts";
import { copyText } from "./browser/clipboard.ts";
import { dropConversations } from "./effects/drop-conversations.ts";
import { offerLinkClicks } from "./effects/offer-link-clicks.ts";
import { regionKeys } from "./effects/region-keys.ts";
import { sidebarShortcut } from "./effects/sidebar-shortcut.ts";
import { watchReturn } from "./effects/watch-return.ts";
import { watchWidth } from "./effects/watch-width.ts";
import type { NitkaOptions } from "./options.ts";
import type { Store } from "./store/create-store.ts";
import type { ChatState } from "./store/state.ts";
import { citedSources, copiedHtml } from "./ui/markdown/copied-html.ts";
import { adoptStyles } from "./ui/primitives/adopt-styles.ts";
import { guardPresses } from "./effects/guard-presses.ts";
import { hideInPageCache } from "./effects/hide-in-page-cache.ts";
import { restoreAfterMove } from "./effects/restore-after-move.ts";
import { showUnfolded } from "./effects/show-unfolded.ts";

import printCss from "./styles/print.css?inline";

export { placePopover, placeSheet } from "./ui/primitives/place-popover.ts";
export { startTooltips } from "./ui/primitives/start-tooltips.ts";

type Options = Omit<Parameters<typeof sidebarShortcut>[0], "toggle"> &
  Parameters<typeof regionKeys>[0] &
  Omit<Parameters<typeof watchWidth>[0], "onCompact"> & {
    readonly store: Store<ChatState>;
    readonly actions: Actions;
  } & {
    readonly linkTarget: NitkaOptions["linkTarget"] | undefined;
    /** Asks the host's function who is signed in. */
    readonly askWho: ((again?: boolean) => Promise<unknown>) | undefined;
  };

/**
 * Copies a message's text, or any other text, to the clipboard. An answer is also copied as HTML, with the sources that it
 * cites.
 *
 * @param button the button that the visitor pressed
 * @param html the text as HTML, for a text that is not an answer's
 */
export function copyFor(button: Element, text: string, html?: string): Promise<void> {
  if (html !== undefined) return copyText(text, html);
  const answer = button.closest("[data-message-actions]")?.closest("[data-message]");
  const sources = answer ? citedSources(answer) : [];
  const lines = sources.map(({ number, title, url }) => `${number} ${title} ${url}`).join("\n");
  return copyText(lines === "" ? text : `${text}\n\n${lines}`, answer ? copiedHtml(answer) : undefined);
}

/** @param options everything that this function starts ends when `signal` aborts */
export function startAfterView(options: Options): void {
  const { root, store, actions, signal } = options;
  watchWidth({ ...options, onCompact: (compact) => actions.setCompact(compact) });
  sidebarShortcut({ ...options, toggle: () => actions.toggleSidebar() });
  watchReturn(actions, signal);
  dropConversations(store, signal);
  regionKeys(options);
  offerLinkClicks(root, options.linkTarget, signal);
  guardPresses(root, signal);
  showUnfolded(root, signal);
  restoreAfterMove(root, signal);
  adoptStyles(root, printCss);
  if (options.askWho) hideInPageCache(options.host, options.askWho, signal);
}
