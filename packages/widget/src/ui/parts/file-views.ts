/** How the parts that are files are shown: most conversations have none, so this loads with the first. */
import { AudioPart } from "./audio-part.tsx";
import { FilePart } from "./file-part.tsx";
import { ImagePart } from "./image-part.tsx";

export const fileViews = { image: ImagePart, file: FilePart, audio: AudioPart } as const;
