import type { NitkaOptions, WidgetOptions } from "../options.ts";

/** The options that an element has: where it stands is the page's matter. */
export type ElementOptions = Omit<NitkaOptions, "target">;

/** Each option, and the attribute that gives it in the page's markup. What is no string has none. */
const ATTRIBUTES: Readonly<Record<keyof ElementOptions, string | undefined>> = {
  projectId: "project-id",
  proxyUrl: "proxy-url",
  apiBase: "api-base",
  routing: "routing",
  basePath: "base-path",
  layout: "layout",
  locale: "locale",
  colorScheme: "color-scheme",
  visitorToken: "visitor-token",
  on: undefined,
};

export const optionNames = Object.keys(ATTRIBUTES) as (keyof ElementOptions)[];

export const attributeNames = Object.values(ATTRIBUTES).flatMap((name) => name ?? []);

/** The option that an attribute gives. */
export function optionOf(attribute: string): keyof ElementOptions | undefined {
  return optionNames.find((name) => ATTRIBUTES[name] === attribute);
}

/** What an element's attributes say. */
export function attributeOptions(element: Element): Partial<Record<keyof ElementOptions, string>> {
  const given = optionNames.flatMap((name) => {
    const attribute = ATTRIBUTES[name];
    const value = attribute === undefined ? null : element.getAttribute(attribute);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** Whether an option changes a widget that is there, and begins none anew. A token in place of none names another visitor. */
export function isLive(name: keyof ElementOptions, before: WidgetOptions, after: WidgetOptions): boolean {
  if (name === "visitorToken") return before.visitorToken !== undefined && after.visitorToken !== undefined;
  return name === "colorScheme" || name === "on";
}
