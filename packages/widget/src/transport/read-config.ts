import type { ServerConfig } from "@nitka/protocol";

/** Every field, by a value of its kind: of a list each item is of its first item's kind, under `""` each field. */
const shape = {
  apiBase: "",
  title: "",
  titleUrl: "",
  feedbackUrl: "",
  greeting: { title: "", subtitle: "" },
  suggestions: [{ title: "", prompt: "" }],
  models: [{ id: "", name: "" }],
  model: "",
  attachments: { accept: "", maxBytes: 0, maxCount: 0 },
  theme: { "": "" },
  imageHosts: [""],
  visitor: { token: "" },
  features: { resume: true, cancel: true, upload: true, branch: true, erase: true, claim: true },
} satisfies { readonly [K in keyof Required<ServerConfig>]: unknown };

/** A config whose fields are of their kinds; what belongs together may still be incomplete. */
type Read = Omit<ServerConfig, "suggestions" | "models"> & {
  readonly suggestions?: readonly { readonly title?: string; readonly prompt?: string }[];
  readonly models?: readonly { readonly id?: string; readonly name?: string }[];
};

/**
 * What a config call answered, field by field. Fields of the wrong kind count as absent: a backend's config may hold
 * things of its own under our names, and no such thing may break the widget.
 *
 * @returns `undefined` for what is no object at all
 */
export function readConfig(value: unknown): ServerConfig | undefined {
  const config = fit(value, shape) as Read | undefined;
  if (!config) return undefined;
  const { feedbackUrl, attachments } = value as ServerConfig;
  const { suggestions, models, ...rest } = config;
  return {
    ...rest,
    // What may be something or nothing.
    ...(feedbackUrl === false && { feedbackUrl }),
    ...(attachments === false && { attachments }),
    // A name is what stands for a thing, where it has no other.
    ...(suggestions && {
      suggestions: suggestions.flatMap(({ title, prompt }) => (title ? { title, prompt: prompt ?? title } : [])),
    }),
    ...(models && { models: models.flatMap(({ id, name }) => (id ? { id, name: name ?? id } : [])) }),
  };
}

/** As much of a value as is of this kind. */
function fit(value: unknown, kind: unknown): unknown {
  if (Array.isArray(kind)) {
    return Array.isArray(value) ? value.flatMap((item) => fit(item, kind[0]) ?? []) : undefined;
  }
  if (typeof value !== typeof kind || value === null || Array.isArray(value)) return undefined;
  if (typeof kind !== "object") return value;
  const kinds = kind as Readonly<Record<string, unknown>>;
  const fields = Object.entries(value as object).map(([name, field]) => [name, fit(field, kinds[name] ?? kinds[""])]);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}
