import { language, words } from "./words.js";

/**
 * Shows a read-only thread in the widget, in the page's language.
 *
 * @param {HTMLElement} target
 * @param {string} source the path of the thread's API under the desk's
 * @param {string} threadId
 * @returns {Promise<() => void>} removes the widget
 */
export async function showThread(target, source, threadId) {
  const { init } = await loaded();
  const proxyUrl = `/desk/api/${source}/`;
  const handle = init({ target, proxyUrl, projectId: "desk", routing: "none", locale: language });
  // Hides controls that would change something, which the server would refuse. The widget's inner parts can only be
  // addressed by their classes.
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/desk/styles/reading.css" });
  handle.element.shadowRoot?.append(link);
  handle.selectThread(threadId).catch(() => undefined);
  return () => handle.destroy();
}

/** Resolves to the widget's global once its script has loaded. */
function loaded() {
  /** @type {Promise<{ init: NonNullable<NonNullable<Window["Nitka"]>["init"]> }>} */
  const there = new Promise((resolve, reject) => {
    const look = () => {
      const { init } = window.Nitka ?? {};
      if (init) resolve({ init });
      // The script may have failed before this listener was added.
      else if (document.readyState === "complete") reject(new Error(words.failure.widget));
    };
    window.addEventListener("load", look);
    look();
  });
  return there;
}
