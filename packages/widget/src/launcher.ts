/**
 * The launcher's button before the chat is loaded. It needs a few CSS rules of its own and one request, for the config with its
 * colours. The chat's code, styles and requests load at the first sign of interest.
 */
import type { Launcher, ShowLauncher } from "./element/app.ts";
import { applyTheme } from "./element/theme.ts";
import { wordsLocaleOf } from "./i18n/choose-locale.ts";
import { openChat } from "./i18n/launcher-words.ts";

/** Repeats `.launcher-button` and its tokens from the chat's stylesheets. A browser test compares both. */
const RULES = `
:host{display:contents!important;--nitka-accent:light-dark(oklch(.53 .105 170),oklch(.76 .115 170));--nitka-accent-fill:light-dark(var(--nitka-accent),oklch(from var(--nitka-accent) max(l,.5) c h))}
:host([hidden]){display:none!important}
button{all:initial;color-scheme:light dark;position:fixed;inset-block-end:max(20px,env(safe-area-inset-bottom));inset-inline-end:max(20px,env(safe-area-inset-right));z-index:var(--nitka-z-index,2147480000);display:grid;place-items:center;inline-size:56px;block-size:56px;border-radius:50%;background:var(--nitka-accent-fill);color:var(--nitka-on-accent,color(from var(--nitka-accent-fill) xyz clamp(0,(.18 - y)*1e6,.95) clamp(0,(.18 - y)*1e6,1) clamp(0,(.18 - y)*1e6,1.09)));box-shadow:0 6px 24px var(--nitka-shadow,light-dark(oklch(.3 .02 75/.1),oklch(0 0 0/.4)));cursor:pointer}
:host([color-scheme=light]) button{color-scheme:light}
:host([color-scheme=dark]) button{color-scheme:dark}
button:focus-visible{outline:2px solid var(--nitka-accent-fill);outline-offset:2px}
svg{inline-size:28px;block-size:28px;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
@media print{button{display:none}}`;

const MARK =
  "M1.5 20.6c2.2.4 4.3-.7 4.9-2.8C4.2 16.2 2.8 13.8 2.8 11.1 2.8 6.4 6.9 2.8 12 2.8s9.2 3.6 9.2 8.3-4.1 8.3-9.2 8.3c-3.7 0-6-2-6-4.8 0-2.2 1.5-3.9 3.4-3.9 3 0 2.9 3.3 5.3 3.3 1.2 0 1.9-.7 2.4-1.7";

/** The events that load the chat. */
const INTEREST = ["pointerenter", "pointerdown", "touchstart", "focus", "click"];

/** Draws the button once its colours are known. Rejects if the widget is destroyed before. */
export const showLauncher: ShowLauncher = async (place): Promise<Launcher> => {
  const { root, options, signal, connectOptions } = place;
  const { body } = await connectOptions.response;
  signal.throwIfAborted();

  // The chat validates the config. The button only needs its colours, which `applyTheme` checks.
  const { theme } = Object(body) as { readonly theme?: unknown };
  const removeStyle = applyTheme(root, Object(theme) as object, RULES);
  const button = document.createElement("button");
  button.lang = options.locale;
  button.part = "launcher";
  const name: unknown = options.words?.["launcher.open"];
  button.ariaLabel = typeof name === "string" ? name : openChat[wordsLocaleOf(options.locale)];
  button.ariaExpanded = "false";
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.ariaHidden = "true";
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", MARK);
  svg.append(path);
  button.append(svg);

  const { promise: wanted, resolve: want } = Promise.withResolvers<void>();
  let isPressed = false;
  for (const type of INTEREST) button.addEventListener(type, () => want(), { passive: true });
  // The chat may replace the button between pointerdown and click, so pointerdown counts as a press too.
  for (const type of ["pointerdown", "click"]) button.addEventListener(type, () => (isPressed = true));
  button.addEventListener("pointerleave", (event) => {
    if (event.buttons > 0) isPressed = false;
  });
  root.append(button);

  const remove = () => {
    const was = { isPressed, hasFocus: root.activeElement === button };
    isPressed = false;
    button.remove();
    removeStyle();
    return was;
  };
  return { wanted, want, remove };
};
