/** A field that a backend may leave out. */
type Optional<T> = T | undefined;

interface Block {
  readonly id?: Optional<string>;
}
interface Delta extends Block {
  readonly delta: string;
}
interface Call {
  readonly toolCallId: string;
}
interface NamedCall extends Call {
  readonly toolName: string;
}
interface Activity {
  readonly text?: Optional<string>;
}
interface Title {
  readonly title: string;
}
type Nothing = Record<never, never>;

/**
 * The fields of each event, by its type. The names are those of the AI SDK's UI message stream, version 1, beside the
 * titles' older names.
 */
interface StreamEvents {
  readonly start: { readonly messageId?: Optional<string> };
  readonly "text-start": Block;
  readonly "text-delta": Delta;
  readonly "text-end": Block;
  readonly "reasoning-start": Block;
  readonly "reasoning-delta": Delta;
  readonly "reasoning-end": Block;
  readonly "tool-input-start": NamedCall;
  readonly "tool-input-delta": Call & { readonly inputTextDelta: string };
  readonly "tool-input-available": NamedCall & { readonly input: unknown };
  readonly "tool-input-error": NamedCall & { readonly input: unknown; readonly errorText: string };
  readonly "tool-output-available": Call & { readonly output: unknown };
  readonly "tool-output-error": Call & { readonly errorText: string };
  readonly "source-url": { readonly sourceId: string; readonly url: string; readonly title?: Optional<string> };
  readonly "source-document": {
    readonly sourceId: string;
    readonly title: string;
    readonly mediaType?: Optional<string>;
  };
  readonly file: { readonly url: string; readonly mediaType: string; readonly filename?: Optional<string> };
  readonly "data-thinking": Activity;
  readonly "data-progress": Activity;
  readonly "data-title": Title;
  readonly "data-thread-title": Title;
  readonly "thread-rename": Title;
  readonly "start-step": Nothing;
  readonly "finish-step": Nothing;
  readonly "message-metadata": Nothing;
  readonly error: { readonly errorText: string };
  readonly abort: { readonly reason?: Optional<string> };
  readonly finish: { readonly finishReason?: Optional<string> };
}

export type StreamEventType = keyof StreamEvents;

/** The event of one type. */
export type EventOf<T extends StreamEventType> = { readonly type: T } & StreamEvents[T];

/** What happens in a run, as the rest of the code sees it: fields flat, one spelling. */
export type StreamEvent = { [T in StreamEventType]: EventOf<T> }[StreamEventType];

/**
 * Reads one event as it came over the wire: fields beside `type` or under `data`, in any spelling in use.
 *
 * @returns `undefined` for what is no event, is of a type that is not known, or lacks a field that it needs
 *
 * @example parseStreamEvent('{"type":"thread-rename","data":{"newTitle":"Погода"}}') // { type: "thread-rename", title: "Погода" }
 */
export function parseStreamEvent(json: string): StreamEvent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { type, data } = value;
  if (typeof type !== "string" || !Object.hasOwn(readers, type)) return undefined;
  const fields = readers[type as StreamEventType](isRecord(data) ? { ...data, ...value } : value);
  return fields && ({ ...fields, type } as StreamEvent);
}

type Fields = Readonly<Record<string, unknown>>;

const readers: { readonly [T in StreamEventType]: (fields: Fields) => StreamEvents[T] | undefined } = {
  start: (fields) => ({ messageId: idOf(fields, "messageId", "id") }),
  "text-start": block,
  "text-delta": delta,
  "text-end": block,
  "reasoning-start": block,
  "reasoning-delta": delta,
  "reasoning-end": block,
  "tool-input-start": namedCall,
  "tool-input-delta": (fields) =>
    extend(call(fields), { inputTextDelta: textOf(fields, "inputTextDelta", "delta") ?? "" }),
  "tool-input-available": (fields) => extend(namedCall(fields), { input: fields["input"] ?? fields["args"] }),
  "tool-input-error": (fields) => extend(namedCall(fields), { input: fields["input"], errorText: errorTextOf(fields) }),
  "tool-output-available": (fields) => extend(call(fields), { output: fields["output"] ?? fields["result"] ?? null }),
  "tool-output-error": (fields) => extend(call(fields), { errorText: errorTextOf(fields) }),
  "source-url": (fields) => {
    const url = textOf(fields, "url");
    return url ? { sourceId: idOf(fields, "sourceId", "id") ?? url, url, title: textOf(fields, "title") } : undefined;
  },
  "source-document": (fields) => {
    const title = textOf(fields, "title", "filename");
    const sourceId = idOf(fields, "sourceId", "id");
    return title ? { sourceId: sourceId ?? title, title, mediaType: textOf(fields, "mediaType") } : undefined;
  },
  file: (fields) => {
    const url = textOf(fields, "url");
    const mediaType = textOf(fields, "mediaType", "mimeType") ?? "application/octet-stream";
    return url ? { url, mediaType, filename: textOf(fields, "filename", "name") } : undefined;
  },
  "data-thinking": activity,
  "data-progress": activity,
  "data-title": title,
  "data-thread-title": title,
  "thread-rename": title,
  "start-step": () => ({}),
  "finish-step": () => ({}),
  "message-metadata": () => ({}),
  error: (fields) => ({ errorText: errorTextOf(fields) }),
  abort: (fields) => ({ reason: textOf(fields, "reason") }),
  finish: (fields) => ({ finishReason: textOf(fields, "finishReason") }),
};

function block(fields: Fields): Block {
  return { id: idOf(fields, "id") };
}

function delta(fields: Fields): Delta | undefined {
  const text = textOf(fields, "delta", "text", "data");
  return text === undefined ? undefined : { id: idOf(fields, "id"), delta: text };
}

function activity(fields: Fields): Activity {
  return { text: textOf(fields, "text", "message", "title", "delta", "data") };
}

function title(fields: Fields): Title | undefined {
  const text = textOf(fields, "title", "newTitle", "data");
  return text === undefined ? undefined : { title: text };
}

function call(fields: Fields): Call | undefined {
  const toolCallId = idOf(fields, "toolCallId", "id");
  return toolCallId === undefined ? undefined : { toolCallId };
}

function namedCall(fields: Fields): NamedCall | undefined {
  return extend(call(fields), { toolName: textOf(fields, "toolName", "name") ?? "" });
}

function extend<A, B>(fields: A | undefined, more: B): (A & B) | undefined {
  return fields && { ...fields, ...more };
}

/** The first of these fields that holds a string. */
function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((value) => typeof value === "string");
}

/** As `textOf`, for ids, which some backends write as numbers. An empty one is none. */
function idOf(fields: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === "number" || (typeof value === "string" && value !== "")) return String(value);
  }
  return undefined;
}

function errorTextOf(fields: Fields): string {
  const { error } = fields;
  return (
    textOf(fields, "errorText", "error", "message", "data") ??
    (isRecord(error) ? textOf(error, "message") : undefined) ??
    ""
  );
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
