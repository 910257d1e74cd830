import { element } from "./element.js";
import { words } from "./words.js";

/**
 * @param {string} text
 * @param {() => void} onClick
 * @param {string} [className]
 */
export function button(text, onClick, className = "quiet") {
  const made = element("button", { type: "button", className }, text);
  made.addEventListener("click", onClick);
  return made;
}

/**
 * @param {string} href
 * @param {string} text
 */
export function download(href, text) {
  return element("a", { href, download: "", className: "button" }, text);
}

/**
 * A button that copies a text, and reports whether it did.
 *
 * @param {string} label
 * @param {() => string} read
 */
export function copyButton(label, read) {
  const made = button(label, () => {
    // Pages without HTTPS have no clipboard, except on the local machine.
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(read()))
      .then(
        () => (made.textContent = words.visitor.copied),
        () => (made.textContent = words.visitor.failed),
      );
  });
  return made;
}
