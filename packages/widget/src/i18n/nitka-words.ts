import type { Words } from "./locales/ru.ts";

/** The words of a locale, including the groups that load when they are needed. */
type AllWords = { readonly [G in keyof Words]-?: Required<NonNullable<Words[G]>> };

type KeysOf<G extends keyof AllWords> = `${G}.${string & keyof AllWords[G]}`;

/** The name of a text of the interface: `composer.send`. */
type TextKey = { readonly [G in keyof AllWords]: KeysOf<G> }[keyof AllWords];

type TextOf<K extends TextKey> = K extends `${infer G extends keyof AllWords}.${infer W}`
  ? AllWords[G][W & keyof AllWords[G]]
  : never;

/**
 * The host's own texts of the interface: a string if the locale has a string, or a function of the same parameters if it has a
 * function.
 *
 * @example { "composer.placeholder": "Ask us anything", "sidebar.removed": (title) => `${title} is gone.` }
 */
export type NitkaWords = { readonly [K in TextKey]?: TextOf<K> };
