/** What a browser that is too old loads in place of the app. It is written in what such a browser knows. */
import type { RefuseBrowser } from "./element/app.ts";
import { CONTAINER_ATTRIBUTE } from "./element/nitka-element.ts";

/** docs/embedding.md says the same. */
const FLOOR = "Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
const SENTENCES = { ru: `Чату нужен браузер новее: ${FLOOR}`, en: `The chat needs a newer browser: ${FLOOR}` };

/** Puts one sentence in the widget's place, and throws it for the page. */
export const refuseBrowser: RefuseBrowser = ({ host, root, options }) => {
  root.textContent = SENTENCES[options.locale];
  // A container of ours is as high as the window: a sentence needs no such room.
  host.closest(`[${CONTAINER_ATTRIBUTE}]`)?.removeAttribute("style");
  throw new Error(SENTENCES.en);
};
