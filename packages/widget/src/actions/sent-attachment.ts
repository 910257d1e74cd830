import type { Attachment } from "@nitka/protocol";
import type { DraftAttachment } from "../store/state.ts";
import type { ActionContext } from "./action-context.ts";

/** What a draft's file is in the message: uploaded before, else with all its bytes. */
export async function sentAttachment(
  { readDataUrl }: Pick<ActionContext, "readDataUrl">,
  { id, type, file, uploaded }: Pick<DraftAttachment, "id" | "type" | "file" | "uploaded">,
): Promise<Attachment> {
  if (uploaded) return uploaded;
  const url = await readDataUrl(file);
  return { id, type, name: file.name, contentType: file.type, size: file.size, url };
}
