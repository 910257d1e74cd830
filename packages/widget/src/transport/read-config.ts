import type { AttachmentRules, ServerConfig } from "@nitka/protocol";

type Fields = Readonly<Record<string, unknown>>;
type Reader<T> = (value: unknown) => T | undefined;
type Readers<T> = { readonly [K in keyof T]-?: Reader<NonNullable<T[K]>> };

const text: Reader<string> = (value) => (typeof value === "string" ? value : undefined);
const flag: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
const number: Reader<number> = (value) => (typeof value === "number" && value >= 0 ? value : undefined);
const off: Reader<false> = (value) => (value === false ? false : undefined);

const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (value) =>
    Array.isArray(value) ? value.flatMap((item: unknown) => read(item) ?? []) : undefined;

const fieldsOf =
  <T extends object>(readers: Readers<T>): Reader<T> =>
  (value) => {
    if (!isRecord(value)) return undefined;
    const read = Object.entries<Reader<unknown>>(readers).map(([name, reader]) => [name, reader(value[name])] as const);
    return Object.fromEntries(read.filter(([, field]) => field !== undefined)) as T;
  };

const theme: Reader<Readonly<Record<string, string>>> = (value) =>
  isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      )
    : undefined;

const attachments = fieldsOf<AttachmentRules>({ accept: text, maxBytes: number, maxCount: number });
const suggestion = fieldsOf<{ readonly title: string; readonly prompt: string }>({ title: text, prompt: text });
const model = fieldsOf<{ readonly id: string; readonly name: string }>({ id: text, name: text });

const config = fieldsOf<ServerConfig>({
  apiBase: text,
  title: text,
  titleUrl: text,
  feedbackUrl: (value) => off(value) ?? text(value),
  greeting: fieldsOf<NonNullable<ServerConfig["greeting"]>>({ title: text, subtitle: text }),
  suggestions: listOf((value) => {
    const { title, prompt } = suggestion(value) ?? {};
    return title === undefined ? undefined : { title, prompt: prompt ?? title };
  }),
  models: listOf((value) => {
    const { id, name } = model(value) ?? {};
    return id === undefined ? undefined : { id, name: name ?? id };
  }),
  model: text,
  attachments: (value) => off(value) ?? attachments(value),
  theme,
  imageHosts: listOf(text),
  visitor: fieldsOf<NonNullable<ServerConfig["visitor"]>>({ token: text }),
  features: fieldsOf<NonNullable<ServerConfig["features"]>>({ resume: flag, cancel: flag, upload: flag, branch: flag }),
});

/**
 * What a config call answered, field by field. Fields of the wrong kind count as absent: a backend's config may hold
 * things of its own under our names, and no such thing may break the widget.
 *
 * @returns `undefined` for what is no object at all
 */
export function readConfig(value: unknown): ServerConfig | undefined {
  return config(value);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
