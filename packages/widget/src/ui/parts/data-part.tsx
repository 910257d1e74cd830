import type { PartView } from "./part-view.ts";

export const dataPart: PartView<"data"> = { each: DataPart };

/** Content of the host's own kind: only the host can show it. */
function DataPart() {
  return null;
}
