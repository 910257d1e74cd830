import { ChatError } from "../chat-error.ts";

export function threadNotFound(): ChatError {
  return new ChatError("not_found", "There is no such thread.");
}
