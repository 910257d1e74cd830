import type { Part, PartType } from "@nitka/protocol";
import { audio } from "./audio.ts";
import { file } from "./file.ts";
import { image } from "./image.ts";
import type { PartKind } from "./part-kind.ts";
import { reasoning } from "./reasoning.ts";
import { source } from "./source.ts";
import { text } from "./text.ts";
import { toolCall } from "./tool-call.ts";

/** Every type of part. A new one is a file beside these and a line here. */
const partKinds: { readonly [T in PartType]: PartKind<T> } = {
  text,
  reasoning,
  "tool-call": toolCall,
  image,
  file,
  audio,
  source,
};

/** The kind that a part is of: given this part, it answers. */
export function partKind(part: Part): PartKind<PartType> {
  return partKinds[part.type] as PartKind<PartType>;
}
