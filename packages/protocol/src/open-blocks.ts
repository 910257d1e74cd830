import type { StreamEvent } from "./stream-event.ts";

/**
 * The blocks of text and reasoning of a stream that were opened and not ended. Where a stream breaks off they have to be
 * ended before it: clients of the AI SDK show an open block as being written, for ever.
 *
 * @example
 * const blocks = new OpenBlocks();
 * blocks.note({ type: "text-start", id: "t1" });
 * blocks.ends() // [{ type: "text-end", id: "t1" }]
 */
export class OpenBlocks {
  readonly #ends = new Map<string, StreamEvent>();

  note(event: StreamEvent): void {
    switch (event.type) {
      case "text-start":
        this.#ends.set(`text ${event.id}`, { type: "text-end", id: event.id });
        break;
      case "reasoning-start":
        this.#ends.set(`reasoning ${event.id}`, { type: "reasoning-end", id: event.id });
        break;
      case "text-end":
        this.#ends.delete(`text ${event.id}`);
        break;
      case "reasoning-end":
        this.#ends.delete(`reasoning ${event.id}`);
        break;
      default:
    }
  }

  /** The events that end them, in the order in which they were opened. */
  ends(): readonly StreamEvent[] {
    return [...this.#ends.values()];
  }
}
