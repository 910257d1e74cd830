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
  /** `mediaType` is empty where the backend does not say it. */
  readonly file: { readonly url: string; readonly mediaType: string; readonly filename?: Optional<string> };
  readonly "data-thinking": Activity;
  readonly "data-progress": Activity;
  readonly "data-title": Title;
  readonly "data-thread-title": Title;
  readonly "thread-rename": Title;
  readonly "start-step": Nothing;
  readonly "finish-step": Nothing;
  readonly "message-metadata": Nothing;
  /** The kind of the failure that the next `error` tells: a `FailureCode`, or `interrupted`. */
  readonly "data-error": { readonly code: string };
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
 * @returns `undefined` for what is no event, is of a type that is not known or changes nothing, or lacks a field that it
 *   needs
 *
 * @example parseStreamEvent('{"type":"thread-rename","data":{"newTitle":"Погода"}}') // { type: "thread-rename", title: "Погода" }
 */
export function parseStreamEvent(json: string): StreamEvent | undefined {
  try {
    const value = JSON.parse(json);
    const wire: Fields = { ...value.error, ...value.data, ...value };
    const type = String(wire["type"]) as Exclude<StreamEventType, Idle>;
    const event: Record<string, unknown> = { type };
    for (const field of fieldsOf[type]) {
      const [name, mark] = field.split(/\b/) as [string, string?];
      const found = read(wire, name);
      if (found === undefined && mark === "!") return undefined;
      event[name] = found ?? (mark && "");
    }
    return event as unknown as StreamEvent;
  } catch {
    // What is no JSON, no object, or of no type that is known has no fields to go through.
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** A field: with a `!` the event cannot do without it, with a `=` it is empty where the backend leaves it out. */
type FieldOf<T extends StreamEventType> = `${string & keyof StreamEvents[T]}${"" | "!" | "="}`;

/** Events that change neither an answer nor a thread: they are skipped as unknown ones are. */
type Idle = "start-step" | "finish-step" | "message-metadata";

/** What is read of each event: all that makes a difference. */
const fieldsOf: { readonly [T in Exclude<StreamEventType, Idle>]: readonly FieldOf<T>[] } = {
  start: ["messageId"],
  "text-start": ["id"],
  "text-delta": ["id", "delta!"],
  "text-end": ["id"],
  "reasoning-start": ["id"],
  "reasoning-delta": ["id", "delta!"],
  "reasoning-end": ["id"],
  "tool-input-start": ["toolCallId!", "toolName="],
  "tool-input-delta": ["toolCallId!", "inputTextDelta="],
  "tool-input-available": ["toolCallId!", "toolName=", "input"],
  "tool-input-error": ["toolCallId!", "toolName=", "input", "errorText="],
  "tool-output-available": ["toolCallId!", "output"],
  "tool-output-error": ["toolCallId!", "errorText="],
  "source-url": ["sourceId=", "url!", "title"],
  "source-document": ["sourceId=", "title!"],
  file: ["url!", "mediaType=", "filename"],
  "data-thinking": ["text"],
  "data-progress": ["text"],
  "data-title": ["title!"],
  "data-thread-title": ["title!"],
  "thread-rename": ["title!"],
  "data-error": ["code!"],
  error: ["errorText="],
  abort: [],
  finish: [],
};

/** What else a field may be called: whatever stands after its name. A bare value under `data` is what the event is about. */
const spellings = [
  ["messageId", "toolCallId", "sourceId", "id"],
  ["inputTextDelta", "delta", "text", "title", "newTitle", "errorText", "error", "message", "data"],
];

function read(wire: Fields, name: string): unknown {
  // What goes into a tool and comes out of it may be anything; all else is text, and empty text is none.
  if (name.endsWith("put")) return wire[name];
  const names = spellings.find((same) => same.includes(name)) ?? [name];
  return names
    .slice(names.indexOf(name))
    .flatMap((other) => (/string|number/.test(typeof wire[other]) ? String(wire[other]) : []))
    .find(Boolean);
}
