import { chooseLocale, pageLanguages } from "../i18n/choose-locale.ts";
import { CONTAINER_ATTRIBUTE } from "./nitka-element.ts";

/** docs/embedding.md says the same. */
const FLOOR = "Chrome 123, Edge 123, Firefox 128, Safari 17.5.";
const SENTENCES = { ru: `Чату нужен браузер новее: ${FLOOR}`, en: `The chat needs a newer browser: ${FLOOR}` };

/** What came last to each of these browsers of all that the widget uses without a fallback: colours of this kind. */
export function isBrowserTooOld(): boolean {
  return !CSS.supports("color", "light-dark(red, oklch(from red l c h))");
}

/** `<nitka-chat>` in a browser that is too old: one sentence in the widget's place. */
export function createOldBrowserElement(): CustomElementConstructor {
  const error = new Error(SENTENCES.en);
  const refuse = () => {
    const refused = Promise.reject(error);
    // A rejection that the page does not look at is no error of its own.
    refused.catch(() => undefined);
    return refused;
  };
  const commands = "send newThread selectThread stop open close focus setDraft notify eraseVisitor setColorScheme";
  return class extends HTMLElement {
    readonly handle: object = {
      ...Object.fromEntries(commands.split(" ").map((name) => [name, refuse])),
      element: this,
      ready: refuse(),
      destroy: () => (this.#container() ?? this).remove(),
    };

    connectedCallback(): void {
      const { on, locale = this.getAttribute("locale") ?? "ru" } = this as {
        readonly on?: { readonly error?: (error: Error) => void };
        readonly locale?: string;
      };
      this.textContent = SENTENCES[chooseLocale(locale === "auto" ? pageLanguages() : [locale])];
      // A container of ours is as high as the window: a sentence needs no such room.
      this.#container()?.removeAttribute("style");
      // The page can listen once it has the element.
      setTimeout(() => {
        this.dispatchEvent(new CustomEvent("nitka-error", { detail: error, bubbles: true, composed: true }));
        on?.error?.(error);
      });
    }

    #container(): Element | null {
      return this.closest(`[${CONTAINER_ATTRIBUTE}]`);
    }
  };
}
