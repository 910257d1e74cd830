import type { PartKind } from "./part-kind.ts";

export const text: PartKind<"text"> = {
  eventsOf: (part, id) => [
    { type: "text-start", id },
    { type: "text-delta", id, delta: part.text },
    { type: "text-end", id },
  ],
};
