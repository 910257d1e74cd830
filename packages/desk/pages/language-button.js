import { button } from "./controls.js";
import { changeLanguage, otherLanguage } from "./words.js";

/** The button that changes the language of the desk. */
export function languageButton() {
  const made = button(otherLanguage.name, changeLanguage, "quiet language");
  made.lang = otherLanguage.code;
  return made;
}
