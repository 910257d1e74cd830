import type { StreamEvent } from "./stream-event.ts";

/**
 * The open blocks of text and reasoning in a stream. When a stream breaks off, they must be closed first: clients of
 * the AI SDK would show an open block as being written for ever.
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

  /** The events that close these blocks, in the order in which the blocks were opened. */
  ends(): readonly StreamEvent[] {
    return [...this.#ends.values()];
  }
}
