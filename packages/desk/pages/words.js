import { en } from "./words-en.js";
import { ru } from "./words-ru.js";

/** @typedef {"ru" | "en"} Language */

/** The storage key of the language that the operator has chosen. */
const KEY = "nitka-desk-language";

/** The language of the page: the chosen one, or the browser's. */
export const language = chosen() ?? preferred();

export const words = language === "ru" ? ru : en;

/** The locale for times and numbers: the browser's variant of the language if it has one. */
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

/** The button that changes to the other language, labelled in that language. */
export const otherLanguage =
  language === "ru"
    ? /** @type {const} */ ({ code: "en", name: "English" })
    : /** @type {const} */ ({ code: "ru", name: "Русский" });

/** Changes the page to the other language permanently. */
export function changeLanguage() {
  try {
    localStorage.setItem(KEY, otherLanguage.code);
  } catch {
    // A browser without storage cannot change the language: the page stays unchanged.
  }
  location.reload();
}

/** @returns {Language | undefined} */
function chosen() {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "ru" || kept === "en" ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** @returns {Language} */
function preferred() {
  const first = navigator.languages.find((tag) => /^(?:ru|en)\b/i.test(tag));
  return first !== undefined && /^ru/i.test(first) ? "ru" : "en";
}
