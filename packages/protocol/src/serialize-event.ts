import type { StreamEvent } from "./stream-event.ts";

/**
 * An event as it goes over the wire: legal in the AI SDK's UI message stream, where what is not the message's own is
 * `data-…` with its fields under `data`, and transient, so that no client stores it. A title's oldest name, which that
 * stream does not know, goes out under its newer one.
 *
 * @example serializeEvent({ type: "data-title", title: "Погода" }) // '{"type":"data-title","data":{"title":"Погода"},"transient":true}'
 */
export function serializeEvent(event: StreamEvent): string {
  const { type, ...data } = event;
  if (type === "thread-rename") return JSON.stringify({ type: "data-thread-title", data, transient: true });
  return JSON.stringify(type.startsWith("data-") ? { type, data, transient: true } : event);
}
