import { connectOptions } from "../connect-options.ts";
import { createElementClass, TAG } from "../element/nitka-element.ts";
import type { ElementEnvironment } from "../element/app.ts";
import { loadChunk } from "../load-chunk.ts";
import { adoptStylesheets } from "./adopt-stylesheets.ts";
import type { AdoptedStylesheets } from "./adopt-stylesheets.ts";

/** An element's class with the callback that every class of ours has. */
type ConnectableClass = new () => HTMLElement & { connectedCallback(): void };

/**
 * Defines the element with the package's stylesheets, unless a script has defined it before.
 *
 * @returns where the package's code finds its other parts: in chunks that the page's bundler makes
 */
export function definePackagedElement(): ElementEnvironment {
  const load = {
    shell: loadChunk(() => import("./shell-css.ts")),
    answers: loadChunk(() => import("./answer-css.ts")),
  };
  const styled = new WeakMap<Node, AdoptedStylesheets>();
  const environment: ElementEnvironment = {
    // The page's own: its bundler decides where this module is, and that says nothing about the backend.
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
