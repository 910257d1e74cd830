import type { PartKind } from "./part-kind.ts";

export const image: PartKind<"image"> = {
  eventsOf: ({ image: url }) => [{ type: "file", url, mediaType: typeOfDataUrl(url) ?? "image/*" }],
};

function typeOfDataUrl(url: string): string | undefined {
  return /^data:([^;,]+)/.exec(url)?.[1];
}
