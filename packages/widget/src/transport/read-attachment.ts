import type { Attachment } from "@nitka/protocol";
import { attachmentTypeOf } from "@nitka/protocol/attachment";
import { isRecord } from "./read-response.ts";

/** Reads the response to an upload. Throws a `TypeError` when it has no id or no address. */
export function readAttachment(value: unknown): Attachment {
  if (!isRecord(value) || typeof value["id"] !== "string" || typeof value["url"] !== "string") {
    throw new TypeError("The answer is not an attachment: it has no id or no url.");
  }
  const contentType = textOr(value["contentType"], "application/octet-stream");
  return {
    id: value["id"],
    type: attachmentTypeOf(contentType),
    name: textOr(value["name"], value["id"]),
    contentType,
    size: typeof value["size"] === "number" ? value["size"] : 0,
    url: value["url"],
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
