import { chooseLocale, pageLanguages } from "../i18n/choose-locale.ts";
import { CONTAINER_ATTRIBUTE } from "./nitka-element.ts";

/** docs/embedding.md says the same. */
const FLOOR = "Chrome 123, Edge 123, Firefox 128, Safari 17.5";

/** What came last to each of these browsers of all that the widget uses without a fallback: colours of this kind. */
export function isBrowserTooOld(): boolean {
  return !CSS.supports("color", "light-dark(red, oklch(from red l c h))");
}

/** `<nitka-chat>` in a browser that is too old: one sentence in the widget's place. */
export function createOldBrowserElement(): CustomElementConstructor {
  const error = new Error(`Nitka: this browser is too old for the widget, which needs ${FLOOR} or later.`);
  const refuse = () => {
    const refused = Promise.reject(error);
    // A rejection that the page does not look at is no error of its own.
    refused.catch(() => undefined);
    return refused;
  };
  return class extends HTMLElement {
    readonly handle: object = {
      ...Object.fromEntries(
        [
          "send",
          "newThread",
          "selectThread",
          "stop",
          "open",
          "close",
          "focus",
          "setDraft",
          "notify",
          "eraseVisitor",
        ].map((command) => [command, refuse]),
      ),
      element: this,
      ready: refuse(),
      setColorScheme: () => undefined,
      destroy: () => (this.closest(`[${CONTAINER_ATTRIBUTE}]`) ?? this).remove(),
    };

    connectedCallback(): void {
      const { on, locale = this.getAttribute("locale") ?? "ru" } = this as {
        readonly on?: { readonly error?: (error: Error) => void };
        readonly locale?: string;
      };
      this.lang = chooseLocale(locale === "auto" ? pageLanguages() : [locale]);
      this.textContent =
        this.lang === "ru" ? `Чату нужен браузер новее: ${FLOOR}.` : `The chat needs a newer browser: ${FLOOR}.`;
      // A container of ours is as high as the window: a sentence needs no such room.
      this.closest<HTMLElement>(`[${CONTAINER_ATTRIBUTE}]`)?.style.removeProperty("height");
      // The page can listen once it has the element.
      setTimeout(() => {
        this.dispatchEvent(new CustomEvent("nitka-error", { detail: error, bubbles: true, composed: true }));
        on?.error?.(error);
      });
    }
  };
}
