import type { Part, PartType } from "@nitka/protocol";
import { audio } from "./audio.ts";
import { data } from "./data.ts";
import { file } from "./file.ts";
import { image } from "./image.ts";
import type { PartKind } from "./part-kind.ts";
import { reasoning } from "./reasoning.ts";
import { source } from "./source.ts";
import { text } from "./text.ts";
import { toolCall } from "./tool-call.ts";

/** Every type of part. A new type is a file in this folder and a line here. */
const partKinds: { readonly [T in PartType]: PartKind<T> } = {
  text,
  reasoning,
  "tool-call": toolCall,
  image,
  file,
  audio,
  source,
  data,
};

/** The kind of a part. It accepts this part alone, whatever its type says. */
export function partKind(part: Part): PartKind<PartType> {
  return partKinds[part.type] as PartKind<PartType>;
}
