import type { NitkaHandle, NitkaOptions, WidgetOptions } from "../options.ts";

/** The options of an element: all but `target`, because the element's place is where it is in the page. */
export type ElementOptions = Omit<NitkaOptions, "target">;

/** The element as the host's code sees it. The options are its properties, and most of them are also attributes. */
export interface NitkaElement extends HTMLElement, Writable<ElementOptions> {
  readonly handle: NitkaHandle;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** A running widget cannot change these options: a change starts another widget. */
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

/** The options that can be attributes: `project-id` is the option `projectId`. Only options with string values can. */
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

/** This causes a type error if an option is missing above. */
export type OptionName =
  Exclude<keyof ElementOptions, (typeof optionNames)[number]> extends never ? keyof ElementOptions : never;

/** The values to which properties and attributes were set. */
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
 * Whether a running widget can continue with other options while its visitor stays the same.
 *
 * @param begun the options that the widget started with
 */
export function canGoOn(begun: WidgetOptions, after: WidgetOptions): boolean {
  return ([...RESTARTING, "words"] as const).every((name) => textOf(begun[name]) === textOf(after[name]));
}

/** At each render, a template creates new objects with the same words and new functions with the same source. */
function textOf(option: object | string = {}): string {
  return String(Object.entries(option));
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

/** A property that was set before the element was defined hides the accessor. It is removed and set again. */
export function uncoverOptions(element: Given): void {
  for (const name of optionNames) {
    if (!Object.hasOwn(element, name)) continue;
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}
