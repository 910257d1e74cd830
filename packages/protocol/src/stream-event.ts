import type { Suggestion } from "./message.ts";

/** A field that a backend may leave out. */
type Optional<T> = T | undefined;

interface Block {
  readonly id?: Optional<string>;
}
interface Delta extends Block {
  readonly delta: string;
}
interface ToolCall {
  readonly toolCallId: string;
}
interface NamedToolCall extends ToolCall {
  readonly toolName: string;
}
interface Activity {
  readonly text?: Optional<string>;
}
interface Title {
  readonly title: string;
}
/** The metadata of our own citations. Metadata of others is ignored. */
interface CitationMetadata {
  readonly nitka?: Optional<{
    readonly n: number;
    readonly quote?: Optional<string>;
    readonly heading?: Optional<string>;
  }>;
}
type NoFields = Record<never, never>;

/**
 * The fields of each event by its type. Types and names are those of the AI SDK's UI message stream, version 1. There
 * are two exceptions: `thread-rename`, which older backends send instead of `data-thread-title`, and `data`, which
 * stands for every `data-<name>` that is not listed here.
 */
interface StreamEvents {
  readonly start: { readonly messageId?: Optional<string> };
  readonly "text-start": Block;
  readonly "text-delta": Delta;
  readonly "text-end": Block;
  readonly "reasoning-start": Block;
  readonly "reasoning-delta": Delta;
  readonly "reasoning-end": Block;
  readonly "tool-input-start": NamedToolCall;
  readonly "tool-input-delta": ToolCall & { readonly inputTextDelta: string };
  readonly "tool-input-available": NamedToolCall & { readonly input: unknown };
  readonly "tool-input-error": NamedToolCall & { readonly input: unknown; readonly errorText: string };
  readonly "tool-output-available": ToolCall & { readonly output: unknown };
  readonly "tool-output-error": ToolCall & { readonly errorText: string };
  /** The tool waits until the visitor allows or denies the call. */
  readonly "tool-approval-request": ToolCall & { readonly approvalId: string };
  /** The visitor has denied the call, or nobody has decided in time. */
  readonly "tool-output-denied": ToolCall;
  readonly "source-url": {
    readonly sourceId: string;
    readonly url: string;
    readonly title?: Optional<string>;
    readonly providerMetadata?: Optional<CitationMetadata>;
  };
  readonly "source-document": {
    readonly sourceId: string;
    readonly title: string;
    readonly mediaType?: Optional<string>;
  };
  /** `mediaType` is empty when the backend leaves it out. */
  readonly file: { readonly url: string; readonly mediaType: string; readonly filename?: Optional<string> };
  readonly "data-thinking": Activity;
  readonly "data-progress": Activity;
  /** Asks the page to run one of its own tools. `tool-input-available` has announced the call. */
  readonly "data-tool-request": NamedToolCall & { readonly input: unknown };
  /** The visitor has allowed the call. The AI SDK has no event for it before version 7. */
  readonly "data-tool-approved": ToolCall;
  /** Not validated, like the suggestions of a listed message: the view shows the valid ones. */
  readonly "data-suggestions": { readonly suggestions: readonly Suggestion[] };
  /** Content of the host's own kind. With an `id`, it replaces earlier content with the same name and id. */
  readonly data: { readonly name: string; readonly id?: Optional<string>; readonly data: unknown };
  readonly "data-title": Title;
  readonly "data-thread-title": Title;
  readonly "thread-rename": Title;
  readonly "start-step": NoFields;
  readonly "finish-step": NoFields;
  readonly "message-metadata": NoFields;
  /** The code of the `error` that follows: a `FailureCode`, or `interrupted`. */
  readonly "data-error": { readonly code: string };
  readonly error: { readonly errorText: string };
  readonly abort: { readonly reason?: Optional<string> };
  readonly finish: { readonly finishReason?: Optional<string> };
}

export type StreamEventType = keyof StreamEvents;

/** The event of one type. */
export type EventOf<T extends StreamEventType> = { readonly type: T } & StreamEvents[T];

/** An entry of a run's stream, with flat fields in one spelling. */
export type StreamEvent = { [T in StreamEventType]: EventOf<T> }[StreamEventType];

/**
 * Reads one event from its JSON. The fields may be next to `type`, under `data` or under `error`, in any spelling in
 * use (see `spellings`). If a field occurs twice, the one next to `type` counts. Unused fields are dropped.
 *
 * @returns `undefined` for text that is not a JSON object, for an unknown type, for a type that changes nothing, and
 * for an event that lacks a required field
 *
 * @example
 * parseStreamEvent('{"type":"text-delta","data":{"text":"a"}}') // { type: "text-delta", delta: "a" }
 * parseStreamEvent('{"type":"thread-rename","newTitle":"Погода"}') // { type: "thread-rename", title: "Погода" }
 * parseStreamEvent('{"type":"error","error":{"message":"No"}}') // { type: "error", errorText: "No" }
 * parseStreamEvent('{"type":"data-order","id":"o1","data":{"sum":5}}') // { type: "data", name: "order", id: "o1", data: { sum: 5 } }
 * parseStreamEvent('{"type":"text-delta","delta":""}') // undefined
 * parseStreamEvent('{"type":"start-step"}') // undefined
 */
export function parseStreamEvent(json: string): StreamEvent | undefined {
  try {
    const value = JSON.parse(json);
    const wire: WireFields = { ...value.error, ...value.data, ...value };
    const type = String(wire["type"]) as keyof typeof fieldsOf;
    const [, name] = /^data-(.+)/.exec(type) ?? [];
    if (name && !Object.hasOwn(fieldsOf, type)) {
      const { id, data, transient } = value;
      return transient || name === "ping" ? undefined : { type: "data", name, id: id?.toString(), data: data ?? null };
    }
    const event: Record<string, unknown> = { type };
    for (const field of fieldsOf[type]) {
      const [name, mark] = field.split(/\b/) as [string, string?];
      const found = readField(wire, name);
      if (found === undefined && mark === "!") return undefined;
      event[name] = found ?? (mark && "");
    }
    return event as unknown as StreamEvent;
  } catch {
    // JSON.parse throws for malformed JSON; reading a field of `null` throws too, and so does a type without a list of
    // fields.
    return undefined;
  }
}

type WireFields = Readonly<Record<string, unknown>>;

/** A field by its name: `delta!` is required, `toolName=` defaults to an empty text, `id` may be absent. */
type FieldOf<T extends StreamEventType> = `${string & keyof StreamEvents[T]}${"" | "!" | "="}`;

/** Events that change neither an answer nor a thread: they are skipped like unknown events. */
type SkippedType = "start-step" | "finish-step" | "message-metadata";

/** `data` has a rule of its own, because its name is a part of the type on the wire. */
type ListedType = Exclude<StreamEventType, SkippedType | "data">;

/** The fields that are read from each event. */
const fieldsOf: { readonly [T in ListedType]: readonly FieldOf<T>[] } = {
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
  "tool-approval-request": ["toolCallId!", "approvalId="],
  "tool-output-denied": ["toolCallId!"],
  "source-url": ["sourceId=", "url!", "title", "providerMetadata"],
  "source-document": ["sourceId=", "title!"],
  file: ["url!", "mediaType=", "filename"],
  "data-thinking": ["text"],
  "data-progress": ["text"],
  "data-tool-request": ["toolCallId!", "toolName=", "input"],
  "data-tool-approved": ["toolCallId!"],
  "data-suggestions": ["suggestions!"],
  "data-title": ["title!"],
  "data-thread-title": ["title!"],
  "thread-rename": ["title!"],
  "data-error": ["code!"],
  error: ["errorText="],
  abort: [],
  finish: ["finishReason"],
};

/**
 * The accepted spellings of a field: its own name, then the names after it in its row. So `title` may be called
 * `newTitle`, `errorText`, `error`, `message` or `data`. `data` is last: `{"type":"data-title","data":"Погода"}` has
 * the title as the bare value of `data`.
 */
const spellings = [
  ["messageId", "toolCallId", "sourceId", "id"],
  ["inputTextDelta", "delta", "text", "title", "newTitle", "errorText", "error", "message", "data"],
];

function readField(wire: WireFields, name: string): unknown {
  if (name === "suggestions") return Array.isArray(wire[name]) ? wire[name] : undefined;
  // `input`, `output` and `providerMetadata` may have any value. Every other field is text, and empty text counts as
  // absent.
  if (/put$|Meta/.test(name)) return wire[name];
  const names = spellings.find((row) => row.includes(name)) ?? [name];
  return names
    .slice(names.indexOf(name))
    .map((spelling) => /string|number/.test(typeof wire[spelling]) && String(wire[spelling]))
    .find(Boolean);
}
