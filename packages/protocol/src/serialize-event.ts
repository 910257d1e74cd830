import type { StreamEvent } from "./stream-event.ts";

/**
 * An event as JSON for the wire, valid in the AI SDK's UI message stream, version 1: events about the thread have a type
 * `data-…`, their fields under `data`, and `transient`, so that no client stores them. That stream does not know
 * `thread-rename`, which becomes `data-thread-title`.
 *
 * @example
 * serializeEvent({ type: "text-delta", id: "t1", delta: "a" }) // '{"type":"text-delta","id":"t1","delta":"a"}'
 * serializeEvent({ type: "data-title", title: "Погода" }) // '{"type":"data-title","data":{"title":"Погода"},"transient":true}'
 */
export function serializeEvent(event: StreamEvent): string {
  if (!event.type.startsWith("data-") && event.type !== "thread-rename") return JSON.stringify(event);
  const { type, ...data } = event;
  return JSON.stringify({ type: type === "thread-rename" ? "data-thread-title" : type, data, transient: true });
}
