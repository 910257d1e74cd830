import { ChatError, unprocessable } from "../../chat-error.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import type { Log } from "../log.ts";
import type { Timings } from "../timings.ts";
import { withFirstPiece } from "./thread-text.ts";
import { visitorExport } from "./visitor-export.ts";
import type { MissingFile } from "./visitor-export.ts";
import { erasureTelling } from "../webhooks/telling.ts";
import type { Owner, Storage } from "../../storage/storage.ts";

/** Operations on all data of a visitor. */
export interface VisitorService {
  /**
   * Stores that the visitor accepts this version of the project's `consent`.
   *
   * @throws ChatError `unprocessable` for any version but the current one
   */
  agree(owner: Owner, project: ReadyProject, version: string): Promise<void>;
  /**
   * Checks the visitor's consent, if the project requires one.
   *
   * @throws ChatError `consent_required`
   */
  requireConsent(owner: Owner, project: ReadyProject): Promise<void>;
  /** The visitor's data as the text of one JSON document, including archived threads that can still be restored. */
  export(owner: Owner, project: ReadyProject): Promise<AsyncIterable<string>>;
  /** Deletes all threads and files of the visitor, and cancels their runs. */
  erase(owner: Owner, project: Pick<ReadyProject, "webhooks">): Promise<void>;
  /**
   * Moves the threads of an anonymous visitor to the visitor whom the host identifies. Returns the number of threads.
   *
   * @param anonymousId `undefined` when this browser has no anonymous visitor
   * @throws ChatError `unprocessable` for a visitor who is not anonymous
   */
  claim(named: Owner, anonymousId: string | undefined): Promise<number>;
}

export function createVisitorService(
  storage: Storage,
  clock: () => Date,
  logger: Log,
  { restoreMs, webhookMs }: Pick<Timings, "restoreMs" | "webhookMs">,
): VisitorService {
  return {
    async agree(owner, { config: { consent } }, version) {
      if (version !== consent?.version) {
        throw unprocessable("version is not the current one: read the config's consent again.");
      }
      await storage.visitors.agree(owner, { version, at: clock().toISOString() });
    },

    async requireConsent(owner, { config: { consent } }) {
      if (!consent) return;
      const consents = await storage.visitors.consents(owner);
      if (consents.some(({ version }) => version === consent.version)) return;
      throw new ChatError(
        "consent_required",
        "The visitor has not agreed to the config's consent: post its version to visitor/consent first.",
      );
    },

    export: async (owner, { toolViews }) => {
      const archivedSince = new Date(clock().getTime() - restoreMs).toISOString();
      const onMissing = ({ threadId, attachment: { id }, reason }: MissingFile) =>
        logger.warn({ ...owner, threadId, attachmentId: id, reason }, "a file is missing in a visitor's export");
      return withFirstPiece(visitorExport(storage, owner, { toolViews, archivedSince, onMissing }));
    },

    async erase(owner, { webhooks }) {
      await storage.visitors.purge(owner, erasureTelling(webhooks, clock(), webhookMs));
    },

    async claim({ projectId, visitorId }, anonymousId) {
      if (anonymousId === undefined) return 0;
      if (isNamed(anonymousId)) throw unprocessable("Only an anonymous visitor's threads are claimed.");
      return storage.visitors.claim({ projectId, visitorId: anonymousId }, visitorId);
    },
  };
}

/** The id of a visitor whom a host identifies. The prefix keeps the host's ids apart from the server's random ids. */
export function namedVisitorId(sub: string): string {
  return `host:${sub}`;
}

function isNamed(visitorId: string): boolean {
  return visitorId.startsWith("host:");
}
