import type { PartKind } from "./part-kind.ts";

export const data: PartKind<"data"> = {
  eventsOf: ({ name, id, data: content }) => [{ type: "data", name, id, data: content }],
};
