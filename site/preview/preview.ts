/**
 * The page of the preview: the widget as sites load it, with a backend inside the page. The playground says by messages how the
 * chat is to look.
 */
import { createPageBackend } from "./page-backend.ts";
import type { NitkaHandle } from "@nitka/widget";
import type { PreviewMessage } from "./preview-message.ts";

/** An address that no request reaches: the backend in this page answers for it. */
const backendUrl = new URL("backend/", location.href);
const backend = createPageBackend();
const fetchFromNetwork = window.fetch.bind(window);
window.fetch = (input, init) => {
  const request = new Request(input, init);
  const inside = request.url.startsWith(backendUrl.href);
  return inside ? backend(request, request.url.slice(backendUrl.href.length)) : fetchFromNetwork(request);
};

const style = document.head.appendChild(document.createElement("style"));
const script = document.createElement("script");
script.async = true;
script.src = new URL("../widget/nitka.js", location.href).href;
document.head.append(script);

let shown: HTMLElement | undefined;
let asked = false;

function show({ layout, colorScheme, locale, css, question }: PreviewMessage) {
  style.textContent = css;
  document.documentElement.lang = locale;
  document.documentElement.dataset["layout"] = layout;
  document.documentElement.dataset["scheme"] = colorScheme;
  if (shown === undefined || shown.getAttribute("layout") !== layout || shown.getAttribute("locale") !== locale) {
    shown?.remove();
    shown = document.createElement("nitka-chat");
    for (const [name, value] of Object.entries({ layout, locale, routing: "none", "proxy-url": backendUrl.href }))
      shown.setAttribute(name, value);
    shown.setAttribute("color-scheme", colorScheme);
    shown.addEventListener("nitka-ready", ({ detail: chat }: CustomEvent<NitkaHandle>) => {
      if (layout === "launcher") void chat.open();
      if (asked || question === undefined) return;
      asked = true;
      void chat.send(question);
    });
    document.body.append(shown);
  }
  shown.setAttribute("color-scheme", colorScheme);
}

addEventListener("message", ({ data, source, origin }: MessageEvent<PreviewMessage | string>) => {
  if (source === parent && origin === location.origin && typeof data === "object") show(data);
});
parent.postMessage("preview-ready", location.origin);
