/** The views of parts that are files. Most conversations have none, so this chunk loads with the first. */
import { AudioPart } from "./audio-part.tsx";
import { FilePart } from "./file-part.tsx";
import { ImagePart } from "./image-part.tsx";

export const fileViews = { image: ImagePart, file: FilePart, audio: AudioPart } as const;
