import type { StreamEvent } from "./stream-event.ts";

/**
 * An event as it goes over the wire: legal in the AI SDK's UI message stream, where what is not the message's own is
 * `data-…` with its fields under `data`, and transient, so that no client stores it. A title's oldest name, which that
 * stream does not know, goes out under its newer one.
 *
 * @example serializeEvent({ type: "data-title", title: "Погода" }) // '{"type":"data-title","data":{"title":"Погода"},"transient":true}'
 */
export function serializeEvent(event: StreamEvent): string {
  if (!event.type.startsWith("data-") && event.type !== "thread-rename") return JSON.stringify(event);
  const { type, ...data } = event;
  return JSON.stringify({ type: type === "thread-rename" ? "data-thread-title" : type, data, transient: true });
}
