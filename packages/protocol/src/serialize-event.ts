import type { StreamEvent } from "./stream-event.ts";

/**
 * An event as JSON for the wire, valid in the AI SDK's UI message stream, version 1. Events about the thread have a
 * type `data-…`, their fields under `data`, and `transient`, so that clients do not store them. Events that belong to
 * the answer are not transient. The AI SDK does not know `thread-rename`, which becomes `data-thread-title`.
 *
 * @example
 * serializeEvent({ type: "text-delta", id: "t1", delta: "a" }) // '{"type":"text-delta","id":"t1","delta":"a"}'
 * serializeEvent({ type: "data", name: "order", id: "o1", data: { sum: 5 } }) // '{"type":"data-order","id":"o1","data":{"sum":5}}'
 * serializeEvent({ type: "data-title", title: "Погода" }) // '{"type":"data-title","data":{"title":"Погода"},"transient":true}'
 */
export function serializeEvent(event: StreamEvent): string {
  if (event.type === "data") {
    const { name, id, data } = event;
    return JSON.stringify({ type: `data-${name}`, id, data });
  }
  if (!event.type.startsWith("data-") && event.type !== "thread-rename") return JSON.stringify(event);
  const { type, ...data } = event;
  if (type === "data-suggestions" || type === "data-tool-request") return JSON.stringify({ type, data });
  return JSON.stringify({ type: type === "thread-rename" ? "data-thread-title" : type, data, transient: true });
}
