/** What browsers below the supported versions load in place of the app. Only with features that they have. */
import type { RefuseBrowser } from "./element/app.ts";
import { CONTAINER_ATTRIBUTE } from "./element/page-side.ts";
import { wordsLocaleOf } from "./i18n/choose-locale.ts";

/** docs/embedding.md repeats these versions. */
const FLOOR = "Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
const SENTENCES = { ru: `Чату нужен браузер новее: ${FLOOR}`, en: `The chat needs a newer browser: ${FLOOR}` };

/** Shows one sentence in the widget's place, and throws it in English. */
export const refuseBrowser: RefuseBrowser = ({ host, root, options }) => {
  root.textContent = SENTENCES[wordsLocaleOf(options.locale)];
  // The container that `init` made is as high as the window, which one sentence does not need.
  host.closest(`[${CONTAINER_ATTRIBUTE}]`)?.removeAttribute("style");
  throw new Error(SENTENCES.en);
};
