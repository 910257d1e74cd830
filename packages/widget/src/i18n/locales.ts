import { loadChunk } from "../load-chunk.ts";
import { ru } from "./locales/ru.ts";
import type { Words } from "./locales/ru.ts";
import type { Locale } from "./choose-locale.ts";

const loadEnglish = loadChunk(() => import("./locales/en.ts"));

/** The words of each locale. The Russian ones are part of the app; the others load when they are needed. */
const loaders = {
  ru: () => Promise.resolve(ru),
  en: () => loadEnglish().then((module) => module.en),
} satisfies Record<Locale, () => Promise<Words>>;

/** The words of the interface in a locale. Rejects if they cannot be loaded. */
export function loadWords(locale: Locale): Promise<Words> {
  return loaders[locale]();
}
