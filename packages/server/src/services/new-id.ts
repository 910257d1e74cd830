import { randomId } from "@nitka/protocol/random-id";

export type IdKind = "visitor" | "thread" | "message" | "run" | "attachment" | "instance" | "request";

/** Makes a new id. Ids of visitors, threads and attachments must not be guessable. */
export type NewId = (kind: IdKind) => string;

/**
 * Random ids of base-36 characters: 8 for a message, which is unique in its thread; 24 (124 bits) for everything else,
 * which is globally unique.
 */
export const newRandomId: NewId = (kind) => (kind === "message" ? randomId() : longId());

function longId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(24)), (digit) => (digit % 36).toString(36)).join("");
}
