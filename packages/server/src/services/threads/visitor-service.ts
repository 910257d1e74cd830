import { ChatError } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";

/** Operations on all data of a visitor. */
export interface VisitorService {
  /** Deletes all threads and files of the visitor, and cancels their runs. */
  erase(owner: Owner): Promise<void>;
  /**
   * Moves the threads of an anonymous visitor to the visitor whom the host names. Returns how many there were.
   *
   * @param anonymousId `undefined` when this browser has no anonymous visitor
   * @throws ChatError `unprocessable` for a visitor who is not anonymous
   */
  claim(named: Owner, anonymousId: string | undefined): Promise<number>;
}

export function createVisitorService(storage: Storage): VisitorService {
  return {
    async erase(owner) {
      await storage.visitors.purge(owner);
    },

    async claim({ projectId, visitorId }, anonymousId) {
      if (anonymousId === undefined) return 0;
      if (isNamed(anonymousId))
        throw new ChatError("unprocessable", "Only an anonymous visitor's threads are claimed.");
      return storage.visitors.claim({ projectId, visitorId: anonymousId }, visitorId);
    },
  };
}

/** The id of a visitor whom a host names. The prefix keeps the host's names apart from the server's random ids. */
export function namedVisitorId(sub: string): string {
  return `host:${sub}`;
}

function isNamed(visitorId: string): boolean {
  return visitorId.startsWith("host:");
}
