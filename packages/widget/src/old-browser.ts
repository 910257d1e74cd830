/**
 * The code for browsers older than the supported versions, loaded in place of the app. It uses only features that they have.
 */
import type { RefuseBrowser } from "./element/app.ts";
import { CONTAINER_ATTRIBUTE } from "./element/page-side.ts";
import { wordsLocaleOf } from "./i18n/choose-locale.ts";

/** docs/embedding.md repeats these versions. */
const FLOOR = "Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
const SENTENCES = { ru: `Чату нужен браузер новее: ${FLOOR}`, en: `The chat needs a newer browser: ${FLOOR}` };

/** Shows one sentence in place of the widget, and throws the same in English. */
export const refuseBrowser: RefuseBrowser = ({ host, root, options }) => {
  root.textContent = SENTENCES[wordsLocaleOf(options.locale)];
  // `init` makes its container as high as the window. One sentence does not need that height.
  host.closest(`[${CONTAINER_ATTRIBUTE}]`)?.removeAttribute("style");
  throw new Error(SENTENCES.en);
};
