import { en } from "./words-en.js";
import { ru } from "./words-ru.js";

/** @typedef {"ru" | "en"} Language */

/** Where a browser keeps the language that its operator has chosen. */
const KEY = "nitka-desk-language";

/** The language of the page: the chosen one, or the browser's. */
export const language = chosen() ?? preferred();

export const words = language === "ru" ? ru : en;

/** Writes times and numbers as the browser does, where it has the language. */
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;

/** The button that changes to the other language, in whose words it says so. */
export const otherLanguage =
  language === "ru"
    ? /** @type {const} */ ({ code: "en", name: "English" })
    : /** @type {const} */ ({ code: "ru", name: "Русский" });

/** Shows the page in the other language from now on. */
export function changeLanguage() {
  try {
    localStorage.setItem(KEY, otherLanguage.code);
  } catch {
    // A browser that keeps nothing cannot change the language: the page is as before.
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
