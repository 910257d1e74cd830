import type { ServerConfig } from "@nitka/protocol";

/**
 * An example value for each field's type. The items of a list have the type of its first item; the key `""` stands for every
 * key.
 */
const example = {
  apiBase: "",
  title: "",
  titleUrl: "",
  feedbackUrl: "",
  greeting: { title: "", subtitle: "" },
  suggestions: [{ title: "", prompt: "" }],
  models: [{ id: "", name: "" }],
  model: "",
  attachments: { accept: "", maxBytes: 0, maxCount: 0 },
  notice: { text: "", url: "" },
  consent: { text: "", url: "", version: "" },
  voice: { input: true, output: true },
  pageUrl: "",
  theme: { "": "" },
  imageHosts: [""],
  visitor: { token: "", named: "" },
  features: { "": true },
} satisfies { readonly [K in keyof Required<ServerConfig>]: unknown };

/** A config with the right types. Entries of lists may lack fields. */
type PartialConfig = Omit<ServerConfig, "suggestions" | "models"> & {
  readonly suggestions?: readonly { readonly title?: string; readonly prompt?: string }[];
  readonly models?: readonly { readonly id?: string; readonly name?: string }[];
};

/**
 * The config in a response's body. A field of another type counts as absent: a backend's config may use our names for
 * values of its own, and they must not break the widget.
 *
 * @returns `undefined` for a value that is not an object
 *
 * @example
 * readConfig({ title: 5, theme: { "--x": 1, accent: "red" }, models: [{ id: "fast" }, {}] })
 *   // { theme: { accent: "red" }, models: [{ id: "fast", name: "fast" }] }
 */
export function readConfig(value: unknown): ServerConfig | undefined {
  const config = pick(value, example) as PartialConfig | undefined;
  if (!config) return undefined;
  const { feedbackUrl, attachments } = value as ServerConfig;
  const { suggestions, models, ...rest } = config;
  return {
    ...rest,
    // `false` switches these features off.
    ...(feedbackUrl === false && { feedbackUrl }),
    ...(attachments === false && { attachments }),
    // A missing prompt defaults to the title, and a missing name to the id.
    ...(suggestions && {
      suggestions: suggestions.flatMap(({ title, prompt }) => (title ? { title, prompt: prompt ?? title } : [])),
    }),
    ...(models && { models: models.flatMap(({ id, name }) => (id ? { id, name: name ?? id } : [])) }),
  };
}

/**
 * The parts of a value that have the types of an example; `undefined` if the value itself has another type.
 *
 * @example pick({ id: 1, name: "a", more: true }, { id: "", name: "" }) // { name: "a" }
 */
function pick(value: unknown, like: unknown): unknown {
  if (Array.isArray(like)) {
    return Array.isArray(value) ? value.flatMap((item) => pick(item, like[0]) ?? []) : undefined;
  }
  if (typeof value !== typeof like || value === null || Array.isArray(value)) return undefined;
  if (typeof like !== "object") return value;
  const examples = like as Readonly<Record<string, unknown>>;
  const fields = Object.entries(value as object).map(([name, field]) => [
    name,
    pick(field, examples[name] ?? examples[""]),
  ]);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
