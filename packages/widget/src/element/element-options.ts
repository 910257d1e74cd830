import type { NitkaOptions, WidgetOptions } from "../options.ts";

/** The options of an element: all but `target`, since the element has its place in the page already. */
export type ElementOptions = Omit<NitkaOptions, "target">;

/** The options that can be attributes: `project-id` is the option `projectId`. Options that are no string cannot. */
const IN_MARKUP = [
  "projectId",
  "proxyUrl",
  "apiBase",
  "routing",
  "basePath",
  "layout",
  "locale",
  "colorScheme",
  "visitorToken",
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
type OptionName =
  Exclude<keyof ElementOptions, (typeof optionNames)[number]> extends never ? keyof ElementOptions : never;

export const attributeNames = IN_MARKUP.map(attributeOf);

function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The option of an attribute: `projectId` for `project-id`. */
export function optionOf(attribute: string): OptionName | undefined {
  return IN_MARKUP.find((name) => attributeOf(name) === attribute);
}

/** The options that an element's attributes give. */
export function attributeOptions(element: Element): Partial<Record<keyof ElementOptions, string>> {
  const entries = IN_MARKUP.flatMap((name) => {
    const value = element.getAttribute(attributeOf(name));
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Whether the running widget can take a new value of an option without a restart. A first visitor token needs a restart:
 * it names another visitor than the anonymous one.
 */
export function isLive(name: keyof ElementOptions, before: WidgetOptions, after: WidgetOptions): boolean {
  if (name === "visitorToken") return before.visitorToken !== undefined && after.visitorToken !== undefined;
  return name === "colorScheme" || (name !== "words" && !IN_MARKUP.some((inMarkup) => inMarkup === name));
}
