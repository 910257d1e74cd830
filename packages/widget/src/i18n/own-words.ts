import type { Words } from "./locales/ru.ts";

/** The words of a locale, those too that load with an answer. */
type AllWords = Required<Words>;

type KeysOf<G extends keyof AllWords> = `${G}.${string & keyof AllWords[G]}`;

/** Names a text of the interface, as `composer.send` does. */
type WordKey = { readonly [G in keyof AllWords]: KeysOf<G> }[keyof AllWords];

type WordOf<K extends WordKey> = K extends `${infer G extends keyof AllWords}.${infer W}`
  ? AllWords[G][W & keyof AllWords[G]]
  : never;

/**
 * A page's own texts of the interface: a string where the locale has one, a function of the same parameters where it has
 * that.
 *
 * @example { "composer.placeholder": "Ask us anything", "sidebar.removed": (title) => `${title} is gone.` }
 */
export type NitkaWords = { readonly [K in WordKey]?: WordOf<K> };
