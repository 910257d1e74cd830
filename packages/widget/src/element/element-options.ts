import type { NitkaOptions, WidgetOptions } from "../options.ts";

/** The options that an element has: where it stands is the page's matter. */
export type ElementOptions = Omit<NitkaOptions, "target">;

/** The options that an attribute of the page's markup can give: `project-id` gives `projectId`. */
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

/** What is no string has no attribute. */
export const optionNames = [...IN_MARKUP, "on", "words"] as const satisfies readonly (keyof ElementOptions)[];

/** No option is missing above. */
type OptionName =
  Exclude<keyof ElementOptions, (typeof optionNames)[number]> extends never ? keyof ElementOptions : never;

export const attributeNames = IN_MARKUP.map(attributeOf);

function attributeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The option that an attribute gives. */
export function optionOf(attribute: string): OptionName | undefined {
  return IN_MARKUP.find((name) => attributeOf(name) === attribute);
}

/** What an element's attributes say. */
export function attributeOptions(element: Element): Partial<Record<keyof ElementOptions, string>> {
  const given = IN_MARKUP.flatMap((name) => {
    const value = element.getAttribute(attributeOf(name));
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** Whether an option changes a widget that is there, and begins none anew. A token in place of none names another visitor. */
export function isLive(name: keyof ElementOptions, before: WidgetOptions, after: WidgetOptions): boolean {
  if (name === "visitorToken") return before.visitorToken !== undefined && after.visitorToken !== undefined;
  return name === "colorScheme" || name === "on";
}
