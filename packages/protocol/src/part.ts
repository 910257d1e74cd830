import type { AudioPart } from "./parts/audio.ts";
import type { DataPart } from "./parts/data.ts";
import type { FilePart } from "./parts/file.ts";
import type { ImagePart } from "./parts/image.ts";
import type { ReasoningPart } from "./parts/reasoning.ts";
import type { SourcePart } from "./parts/source.ts";
import type { TextPart } from "./parts/text.ts";
import type { ToolCallPart } from "./parts/tool-call.ts";

/** A piece of a message. */
export type Part = TextPart | ReasoningPart | ImagePart | FilePart | AudioPart | SourcePart | ToolCallPart | DataPart;

export type PartType = Part["type"];
