import type { NitkaHandle, NitkaOptions, WidgetOptions } from "../options.ts";

/** The options of an element: all but `target`, since the element has its place in the page already. */
export type ElementOptions = Omit<NitkaOptions, "target">;

/** The element as the host's code sees it: the options are its properties, and most of them also attributes. */
export interface NitkaElement extends HTMLElement, Writable<ElementOptions> {
  readonly handle: NitkaHandle;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A running widget takes no other value of these: another one is begun. */
const RESTARTING = [
  "projectId",
  "proxyUrl",
  "apiBase",
  "routing",
  "basePath",
  "layout",
  "locale",
  "linkTarget",
] as const satisfies readonly (keyof ElementOptions)[];

/** The options that can be attributes: `project-id` is the option `projectId`. Options that are no string cannot. */
const IN_MARKUP = [
  ...RESTARTING,
  "colorScheme",
  "visitorToken",
  "visitorId",
] as const satisfies readonly (keyof ElementOptions)[];

export const optionNames = [
  ...IN_MARKUP,
  "on",
  "words",
  "tools",
  "pageContext",
  "renderers",
] as const satisfies readonly (keyof ElementOptions)[];

/** Fails the type check if an option is missing above. */
export type OptionName =
  Exclude<keyof ElementOptions, (typeof optionNames)[number]> extends never ? keyof ElementOptions : never;

/** What properties and attributes were set to. */
export type Given = Partial<Record<OptionName, unknown>>;

export const attributeNames = IN_MARKUP.map(attributeOf);

function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, "-$&").toLowerCase();
}

/** The option of an attribute: `projectId` for `project-id`. */
export function optionOf(attribute: string): OptionName | undefined {
  return IN_MARKUP[attributeNames.indexOf(attribute)];
}

/**
 * Whether a running widget can go on with other options. With a first visitor token it cannot, nor without any: these name
 * another visitor.
 *
 * @param begun the options that the widget began with
 */
export function canGoOn(begun: WidgetOptions, after: WidgetOptions): boolean {
  return (
    !begun.visitorToken === !after.visitorToken &&
    textOf(begun.words) === textOf(after.words) &&
    RESTARTING.every((name) => begun[name] === after[name])
  );
}

/** A template makes another object of the same words, and other functions of the same source, at each render. */
function textOf(words: object = {}): string {
  return String(Object.entries(words));
}

/** An element whose options are its properties. */
interface OptionHolder {
  getOption(name: OptionName): unknown;
  setOption(name: OptionName, value: unknown): void;
}

export function defineOptions(prototype: OptionHolder): void {
  for (const name of optionNames) {
    Object.defineProperty(prototype, name, {
      get(this: OptionHolder) {
        return this.getOption(name);
      },
      set(this: OptionHolder, value: unknown) {
        this.setOption(name, value);
      },
    });
  }
}

/** A property that was set before the element was defined hides the accessor: it is removed and set again. */
export function uncoverOptions(element: Given): void {
  for (const name of optionNames) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
