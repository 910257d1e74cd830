import type { StreamEvent } from "./stream-event.ts";

/**
 * An event as it goes over the wire: legal in the AI SDK's UI message stream, where what is not the message's own is
 * `data-…` with its fields under `data`, and transient, so that no client stores it.
 *
 * @example serializeEvent({ type: "data-title", title: "Погода" }) // '{"type":"data-title","data":{"title":"Погода"},"transient":true}'
 */
export function serializeEvent(event: StreamEvent): string {
  const { type, ...fields } = event;
  return JSON.stringify(type.startsWith("data-") ? { type, data: fields, transient: true } : event);
}
