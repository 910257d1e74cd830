import type { Message, StreamEvent } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import type { Answer } from "@nitka/protocol/apply-event";
import { partsOf } from "@nitka/protocol/message";
import type { EventOf } from "@nitka/protocol/stream-event";

type Delta = EventOf<"text-delta"> | EventOf<"reasoning-delta">;

/**
 * The most deltas that wait to be folded. More would outlive V8's young generation, which costs more than folding them.
 */
const MAX_WAITING = 16;

/**
 * An answer that is being written. Consecutive deltas of one block are joined and folded as one, because a fold copies
 * the message around the text. The result equals that of `applyEvent` for each delta.
 */
export class GrowingAnswer {
  #answer: Answer;
  /** The first delta that is not folded yet. */
  #first: Delta | undefined;
  #texts: string[] = [];

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  apply(event: StreamEvent): void {
    if (event.type !== "text-delta" && event.type !== "reasoning-delta") {
      this.#answer = applyEvent(this.folded, event);
      return;
    }
    const continues = this.#first?.type === event.type && this.#first.id === event.id;
    if (!continues || this.#texts.length === MAX_WAITING) {
      this.#fold();
      this.#first = event;
    }
    this.#texts.push(event.delta);
  }

  /** Turns a block of reasoning into text, or the reverse. */
  recast(blockId: string, really: "text" | "reasoning"): void {
    const answer = this.folded;
    const sentAs = really === "text" ? "reasoning" : "text";
    const index = answer.blocks[sentAs + blockId] ?? -1;
    const parts = partsOf(answer.message);
    const part = parts[index];
    if (part?.type !== sentAs) return;
    const content = parts.with(index, { type: really, text: part.text });
    this.#answer = { ...answer, message: { ...answer.message, content } };
  }

  /** Changes the message in a way that no event expresses. */
  change(change: (message: Message) => Message): void {
    this.#answer = { ...this.folded, message: change(this.folded.message) };
  }

  /** The answer after all events so far. */
  get folded(): Answer {
    this.#fold();
    return this.#answer;
  }

  #fold(): void {
    if (!this.#first) return;
    this.#answer = applyEvent(this.#answer, { ...this.#first, delta: this.#texts.join("") });
    this.#first = undefined;
    this.#texts = [];
  }
}
