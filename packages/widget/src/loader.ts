/** The script tag: `window.Nitka`, the calls that came before it, and the element in the page's markup. */
import type { CreateApp, RefuseBrowser, ShowLauncher } from "./element/app.ts";
import { defineElement } from "./element/nitka-element.ts";
import type { Init } from "./init.ts";
import { createInit } from "./init.ts";

/** The app's file, beside this one, and those that it cannot do without. The build writes their names here. */
declare const NITKA_APP: readonly [app: string, ...others: string[]];

/** The closed launcher's file, beside this one. */
declare const NITKA_LAUNCHER: string;

/** The file that a browser loads that is too old. */
declare const NITKA_OLD_BROWSER: string;

interface NitkaGlobal {
  readonly init: Init;
  /** Makes calls that may also be made before the script is there: `Nitka.push(["init", { … }])`. */
  readonly push: (...calls: readonly unknown[]) => void;
}

const page = globalThis as { Nitka?: NitkaGlobal | unknown[] };
const { Nitka: early } = page;

// A second script, of this version or another, leaves the first in charge.
if (!early || Array.isArray(early)) {
  const script = document.currentScript ?? document.querySelector('script[src*="nitka.js"]');
  const scriptUrl = script instanceof HTMLScriptElement && script.src !== "" ? script.src : location.href;
  const load = (file: string): Promise<unknown> => import(/* @vite-ignore */ new URL(file, scriptUrl).href);
  const environment = {
    scriptUrl,
    nonce: script instanceof HTMLScriptElement ? script.nonce : "",
    loadApp: async () => {
      // All at once: the app would ask for the others only when it is there itself.
      const [app] = await Promise.all(NITKA_APP.map(load));
      return (app as { createApp: CreateApp }).createApp;
    },
    loadLauncher: async () => ((await load(NITKA_LAUNCHER)) as { showLauncher: ShowLauncher }).showLauncher,
    loadRefusal: async () => ((await load(NITKA_OLD_BROWSER)) as { refuseBrowser: RefuseBrowser }).refuseBrowser,
  };
  const init = createInit(environment);
  const call = (request: unknown) => {
    try {
      const [name, options] = Array.isArray(request) ? (request as unknown[]) : [];
      if (name !== "init") throw new TypeError(`Nitka: push takes ["init", options], not ${String(name ?? request)}.`);
      init(options as Parameters<Init>[0]);
    } catch (error) {
      // One bad call is told of, and keeps none of the others from being made.
      reportError(error);
    }
  };
  page.Nitka = { init, push: (...calls) => calls.forEach(call) };
  defineElement(environment);
  const begin = () => early?.forEach(call);
  // Early calls name targets that a script in the head comes before.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
  else begin();
}
