import { connectOptions } from "../connect-options.ts";
import { TAG } from "../element/define-element.ts";
import { createElementClass } from "../element/nitka-element.ts";
import type { ElementEnvironment } from "../element/app.ts";
import { loadChunk } from "../load-chunk.ts";
import type { Stylesheets } from "../element/stylesheets.ts";

/** An element's class with the callback that all of the widget's classes have. */
type ConnectableClass = new () => HTMLElement & { connectedCallback(): void };

/**
 * Defines the element with the package's stylesheets, unless a script has defined it before.
 *
 * @returns the environment in which the package's code finds its other parts: in chunks that the page's bundler creates
 */
export function definePackagedElement(): ElementEnvironment {
  const load = {
    shell: loadChunk(() => import("./shell-css.ts")),
    answers: loadChunk(() => import("./answer-css.ts")),
  };
  const styled = new WeakMap<Node, AdoptedStylesheets>();
  const environment: ElementEnvironment = {
    // The URL is the page's own, because the page's bundler decides where this module is, which says nothing about the backend.
    scriptUrl: location.href,
    style(root) {
      const stylesheets = adoptStylesheets(root, load);
      styled.set(root, stylesheets);
      return stylesheets;
    },
    connectOptions,
    loadApp: loadChunk(() => import("../create-app.tsx")),
    loadLauncher: loadChunk(() => import("../launcher.ts")),
    loadRefusal: loadChunk(() => import("../old-browser.ts")),
  };
  if (customElements.get(TAG)) return environment;
  const Base = createElementClass(environment) as ConnectableClass;
  class PackagedNitkaChat extends Base {
    override connectedCallback(): void {
      super.connectedCallback();
      const { shadowRoot } = this;
      if (shadowRoot) styled.get(shadowRoot)?.restore();
    }
  }
  customElements.define(TAG, PackagedNitkaChat);
  return environment;
}

/** Loads the texts of some stylesheets. */
type LoadCss = () => Promise<{ readonly css: readonly string[] }>;

export interface AdoptedStylesheets extends Stylesheets {
  /** To be called when the element has been inserted again, because in another document its stylesheets are gone. */
  readonly restore: () => void;
}

/**
 * Styles a shadow root with constructed stylesheets. Their texts are modules, which every bundler finds; not every bundler
 * finds a stylesheet that a script links. No content security policy forbids them.
 */
function adoptStylesheets(root: ShadowRoot, load: { readonly shell: LoadCss; readonly answers: LoadCss }) {
  const texts: Record<keyof typeof load, readonly string[]> = { shell: [], answers: [] };
  let own: readonly CSSStyleSheet[] = [];
  const adopt = () => {
    const others = root.adoptedStyleSheets.filter((sheet) => !own.includes(sheet));
    own = [...texts.shell, ...texts.answers].map((text) => construct(root, text));
    // The project's theme is among the others and overrides the stylesheets before it.
    root.adoptedStyleSheets = [...own, ...others];
  };
  const ensure = async (name: keyof typeof load) => {
    const { css } = await load[name]();
    if (texts[name] === css && isAdopted()) return;
    texts[name] = css;
    adopt();
  };
  const isAdopted = () => own.every((sheet) => root.adoptedStyleSheets.includes(sheet));
  return {
    shell: () => ensure("shell"),
    answers: () => ensure("answers"),
    restore() {
      // The app takes this event as the sign that the styles are back, and restores scroll positions, dialogs and, in another
      // document, the theme (restore-after-move.ts). A linked stylesheet fires the event itself.
      root.dispatchEvent(new Event("load"));
      if (!isAdopted()) adopt();
    },
  } satisfies AdoptedStylesheets;
}

/** A constructed stylesheet belongs to one document, and the element may be in another one than its script. */
function construct(root: ShadowRoot, text: string): CSSStyleSheet {
  const sheet = new (root.ownerDocument.defaultView as typeof window).CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
