import { randomId } from "@nitka/protocol/random-id";

export type IdKind = "visitor" | "thread" | "message" | "run" | "attachment" | "instance" | "request";

/** Makes an id for something new. Those of visitors, threads and attachments must not be guessable. */
export type NewId = (kind: IdKind) => string;

/**
 * Random ids: a message's is unique in its thread (8 base-36 characters), every other one in the world (24 of them,
 * 124 bits).
 */
export const newRandomId: NewId = (kind) => (kind === "message" ? randomId() : longId());

function longId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(24)), (digit) => (digit % 36).toString(36)).join("");
}
