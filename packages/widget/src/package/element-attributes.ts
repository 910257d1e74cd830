import type { ElementOptions } from "../element/element-options.ts";
import type { NitkaElementEvents } from "../options.ts";

type Kebab<T extends string> = T extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : T;

/** The options with string values, which can be attributes. */
type TextOptions = Pick<
  ElementOptions,
  "projectId" | "proxyUrl" | "apiBase" | "routing" | "basePath" | "layout" | "locale" | "linkTarget" | "colorScheme"
> & { readonly visitorToken?: string; readonly visitorId?: string };

/** The options of `<nitka-chat>` in markup: all as properties, and those with string values also as attributes. */
export type NitkaChatAttributes = {
  readonly [K in keyof ElementOptions]?: ElementOptions[K] | undefined;
} & {
  readonly [K in keyof TextOptions as Kebab<K>]?: TextOptions[K] | undefined;
};

/** Listeners of the element's events, by their names in markup: `onnitka-message`. */
export type NitkaChatListeners = {
  readonly [E in keyof NitkaElementEvents as `on${E}`]?: ((event: NitkaElementEvents[E]) => void) | undefined;
};
