import type { PartKind } from "./part-kind.ts";

export const reasoning: PartKind<"reasoning"> = {
  eventsOf: ({ text }, id) => [
    { type: "reasoning-start", id },
    { type: "reasoning-delta", id, delta: text },
    { type: "reasoning-end", id },
  ],
};
