/** The code of the script tag. It defines `window.Nitka` and the element, and makes the calls that the page has queued. */
import { connectOptions } from "./connect-options.ts";
import type { CreateApp, RefuseBrowser, ShowLauncher } from "./element/app.ts";
import { defineElement } from "./element/define-element.ts";
import { linkStylesheets } from "./element/stylesheets.ts";
import type { Init } from "./init.ts";
import { createInit } from "./init.ts";
import { onceLoaded } from "./once-loaded.ts";

/** The name of the app's file, which is in the same folder. The build inserts it. */
declare const NITKA_APP: string;

/** The name of the closed launcher's file, in the same folder. */
declare const NITKA_LAUNCHER: string;

/** The name of the file for browsers older than the supported versions. */
declare const NITKA_OLD_BROWSER: string;

interface NitkaGlobal {
  readonly init: Init;
  /** Makes queued calls, such as `Nitka.push(["init", { … }])`. Until the script has loaded, `Nitka` is an array. */
  readonly push: (...calls: readonly unknown[]) => void;
}

const page = globalThis as { Nitka?: NitkaGlobal | unknown[] };
const { Nitka: early } = page;

// A second script, of this version or another, changes nothing.
if (!early || Array.isArray(early)) {
  // A script inside an SVG has no `src`, so the page's address is used.
  const script = (document.currentScript ??
    document.querySelector('script[src*="nitka.js"]')) as Partial<HTMLScriptElement> | null;
  const scriptUrl = script?.src || location.href;
  const load = <T>(file: string) =>
    onceLoaded<T>((query) => import(/* @vite-ignore */ new URL(file + query, scriptUrl).href) as Promise<T>);
  const nonce = script?.nonce ?? "";
  const environment = {
    scriptUrl,
    style: linkStylesheets(scriptUrl, nonce),
    connectOptions,
    loadApp: load<{ readonly createApp: CreateApp }>(NITKA_APP),
    loadLauncher: load<{ readonly showLauncher: ShowLauncher }>(NITKA_LAUNCHER),
    loadRefusal: load<{ readonly refuseBrowser: RefuseBrowser }>(NITKA_OLD_BROWSER),
  };
  const init = createInit(environment);
  const call = (request: unknown) => {
    try {
      const [name, options] = Array.isArray(request) ? (request as unknown[]) : [];
      if (name !== "init") throw new TypeError(`Nitka: push takes ["init", options], not ${String(name ?? request)}.`);
      init(options as Parameters<Init>[0]);
    } catch (error) {
      // A bad call is reported, and does not prevent the others.
      reportError(error);
    }
  };
  page.Nitka = { init, push: (...calls) => calls.forEach(call) };
  defineElement(environment);
  const begin = () => early?.forEach(call);
  // The targets of queued calls may come after the script if it is in the head.
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin, { once: true });
  else begin();
}
