import type { PartView } from "./part-view.ts";

export const dataPart: PartView<"data"> = { each: DataPart };

/** The host's own content, which only the host can show. */
function DataPart() {
  return null;
}
