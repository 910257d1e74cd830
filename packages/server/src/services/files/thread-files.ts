import type { Attachment } from "@nitka/protocol";
import { unprocessable } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import { keepFile } from "./keep-file.ts";
import type { IncomingFile } from "./keep-file.ts";
import type { NewId } from "../new-id.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";

/** The files of a thread for a question: those that it references, and those inside it. */
export interface ThreadFiles {
  /** Finds an attachment of this thread. */
  find(attachmentId: string): Promise<Attachment | undefined>;
  /** Stores a file as an upload. If its question is refused later, housekeeping deletes it as an unsent upload. */
  keep(file: IncomingFile): Promise<Attachment>;
}

export function threadFiles(
  storage: Storage,
  { owner, threadId }: { readonly owner: Owner; readonly threadId: string },
  { attachments: rules, limits }: ReadyProject,
  options: { readonly clock: () => Date; readonly newId: NewId; readonly take: (bytes: number) => void },
): ThreadFiles {
  return {
    async find(attachmentId) {
      const found = await storage.attachments.find(owner, attachmentId);
      return found?.threadId === threadId ? found.attachment : undefined;
    },
    keep(file) {
      if (!rules) throw unprocessable("This project takes no attachments.");
      return keepFile(file, { storage, owner, threadId, rules, limits, ...options });
    },
  };
}
