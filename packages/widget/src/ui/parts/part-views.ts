import type { PartType } from "@nitka/protocol";
import { dataPart } from "./data-part.tsx";
import { fileParts } from "./file-parts.tsx";
import type { PartView } from "./part-view.ts";
import { reasoningPart } from "./reasoning-part.tsx";
import { sourcePart } from "./source-part.tsx";
import { textPart } from "./text-part.tsx";
import { toolCallPart } from "./tool-call-part.tsx";

/** The view of every type of part. A new type is a file in this folder and a line here. */
export const partViews = {
  text: textPart,
  reasoning: reasoningPart,
  "tool-call": toolCallPart,
  ...fileParts,
  source: sourcePart,
  data: dataPart,
} satisfies { readonly [T in PartType]: PartView<T> };
