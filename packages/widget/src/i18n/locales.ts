import { loadChunk } from "../load-chunk.ts";
import { ru } from "./locales/ru.ts";
import type { Words } from "./locales/ru.ts";

const loadEnglish = loadChunk(() => import("./locales/en.ts"));

/** Every locale by its name. The Russian words are part of the app; the others load when they are asked for. */
const loaders = {
  ru: () => Promise.resolve(ru),
  en: () => loadEnglish().then((module) => module.en),
} satisfies Record<string, () => Promise<Words>>;

export type Locale = keyof typeof loaders;

export const locales = Object.keys(loaders) as readonly Locale[];

export function isLocale(name: string): name is Locale {
  return Object.hasOwn(loaders, name);
}

/** The words of the interface in a locale. Rejects if they cannot be loaded. */
export function loadWords(locale: Locale): Promise<Words> {
  return loaders[locale]();
}
