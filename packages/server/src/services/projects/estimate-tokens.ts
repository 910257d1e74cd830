import type { Attachment, Message, Part } from "@nitka/protocol";
import { partsOf } from "@nitka/protocol/message";
import { isTextType } from "@nitka/protocol/mime-type";
import { FILE_CHARS, MAX_TEXT_CHARS } from "../../model/model.ts";

/** The usual rule of thumb. */
export const CHARS_PER_TOKEN = 4;

/**
 * Estimates the tokens of messages and instructions, for models that report none.
 *
 * @param moreChars the characters of everything else that is sent
 */
export function estimateTokens(messages: readonly Message[], instructions = "", moreChars = 0): number {
  const chars = messages.reduce((sum, message) => sum + charsOf(message), instructions.length + moreChars);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

function charsOf(message: Message): number {
  const parts = partsOf(message).reduce((sum, part) => sum + charsOfPart(part), 0);
  return (message.attachments ?? []).reduce((sum, attachment) => sum + charsOfAttachment(attachment), parts);
}

function charsOfPart(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text.length;
    case "tool-call":
      return part.argsText.length + (JSON.stringify(part.result) ?? "").length;
    case "source":
    case "data":
      return 0;
    default:
      return FILE_CHARS;
  }
}

function charsOfAttachment({ contentType, size }: Attachment): number {
  return isTextType(contentType) ? Math.min(size, MAX_TEXT_CHARS) : FILE_CHARS;
}
