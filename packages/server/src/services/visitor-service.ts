import { ChatError } from "../chat-error.ts";
import type { Owner, Storage } from "../storage/storage.ts";

/** What is done with everything of a visitor at once. */
export interface VisitorService {
  /** Deletes everything that the visitor has said and sent; answers that are being written are cancelled. */
  erase(owner: Owner): Promise<void>;
  /**
   * Moves everything of an anonymous visitor to the one that the host names. Returns how many threads came.
   *
   * @param anonymousId `undefined`: this browser has no anonymous visitor
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

/** The id of a visitor whom a host names: the prefix keeps a host's names apart from the ids that we make. */
export function namedVisitorId(sub: string): string {
  return `host:${sub}`;
}

function isNamed(visitorId: string): boolean {
  return visitorId.startsWith("host:");
}
