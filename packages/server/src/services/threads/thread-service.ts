import type { Thread } from "@nitka/protocol";
import { headBelow } from "@nitka/protocol/branch";
import { MAX_TITLE_CHARS, cleanTitle } from "@nitka/protocol/thread-title";
import { notFound, unprocessable } from "../../chat-error.ts";
import type { Owner, Storage } from "../../storage/storage.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import type { NewId } from "../new-id.ts";
import type { ReadyProject } from "../projects/ready-projects.ts";
import { threadText, withFirstPiece } from "./thread-text.ts";
import type { Timings } from "../timings.ts";
import { createEventLoopTurns } from "../../event-loop-turns.ts";
import { webhookTelling } from "../webhooks/telling.ts";

export interface ThreadService {
  /** @throws ChatError `not_found` when the visitor has no such thread */
  require(owner: Owner, threadId: string): Promise<void>;
  list: Storage["threads"]["list"];
  create(owner: Owner, project: ReadyProject): Promise<Thread>;
  /**
   * All messages as the text of a JSON array: parents before children, the end of the shown branch last. It contains
   * the current state of an answer that is being written. The text is read in pieces of bounded size, on demand.
   */
  messages(owner: Owner, project: ReadyProject, threadId: string): Promise<AsyncIterable<string>>;
  rename(owner: Owner, threadId: string, title: string): Promise<Thread>;
  /** Archives a thread. The project's `threads` also limits archived threads: those archived last are kept. */
  archive(owner: Owner, project: ReadyProject, threadId: string): Promise<void>;
  /**
   * Restores an archived thread with its files, until an hour after it was archived. A thread that is not archived
   * stays unchanged.
   */
  restore(owner: Owner, project: ReadyProject, threadId: string): Promise<Thread>;
  /** Stores that the visitor has opened the branch with this message. */
  showBranch(owner: Owner, threadId: string, messageId: string): Promise<void>;
}

export function createThreadService(
  storage: Storage,
  activeRuns: ActiveRuns,
  clock: () => Date,
  newId: NewId,
  { restoreMs }: Pick<Timings, "restoreMs">,
): ThreadService {
  async function find(owner: Owner, threadId: string): Promise<Thread> {
    const thread = await storage.threads.find(owner, threadId);
    if (!thread) throw notFound("thread");
    return thread;
  }

  async function checkCount(owner: Owner, { limits }: ReadyProject): Promise<void> {
    if (limits.threads === null || (await storage.threads.count(owner)) < limits.threads) return;
    throw unprocessable(`There are ${limits.threads} threads already: archive some of them first.`);
  }

  const turns = createEventLoopTurns();

  return {
    async require(owner, threadId) {
      await find(owner, threadId);
    },

    list: (owner, page) => storage.threads.list(owner, page),

    async create(owner, project) {
      await checkCount(owner, project);
      const now = clock();
      const thread: Thread = { threadId: newId("thread"), updatedAt: now.toISOString() };
      await storage.threads.create(owner, thread, webhookTelling(project.webhooks, "thread.created", now));
      return thread;
    },

    async messages(owner, { toolViews }, threadId) {
      await find(owner, threadId);
      const tree = await storage.messages.tree(owner, threadId);
      const running = () => activeRuns.answersIn(threadId);
      return withFirstPiece(
        threadText(tree, { messages: storage.messages, owner, threadId, toolViews, running, turns }),
      );
    },

    async rename(owner, threadId, title) {
      const { updatedAt } = await find(owner, threadId);
      const clean = cleanTitle(title);
      if (clean === undefined || Array.from(title.trim()).length > MAX_TITLE_CHARS) {
        throw unprocessable(`A title has 1 to ${MAX_TITLE_CHARS} characters.`);
      }
      if (!(await storage.threads.rename(owner, threadId, clean, "visitor"))) throw notFound("thread");
      return { threadId, title: clean, updatedAt };
    },

    async archive(owner, { limits }, threadId) {
      await find(owner, threadId);
      // Before the archiving: if this fails, nothing has changed, and the visitor can try again.
      if (limits.threads !== null) await storage.visitors.dropArchived(owner, Math.max(0, limits.threads - 1));
      const archived = await storage.threads.archive(owner, threadId, clock().toISOString());
      if (!archived) throw notFound("thread");
      activeRuns.leave(threadId);
      if (archived.running) await storage.signals.publish({ type: "cancel", runId: archived.running.runId });
    },

    async restore(owner, project, threadId) {
      if (!(await storage.threads.find(owner, threadId))) {
        await checkCount(owner, project);
        const since = new Date(clock().getTime() - restoreMs).toISOString();
        await storage.threads.restore(owner, threadId, since);
      }
      const { title, updatedAt } = await find(owner, threadId);
      return { threadId, ...(title !== undefined && { title }), updatedAt };
    },

    async showBranch(owner, threadId, messageId) {
      await find(owner, threadId);
      const tree = await storage.messages.tree(owner, threadId);
      if (!tree.some(({ id }) => id === messageId)) {
        throw unprocessable("There is no such message in this thread.");
      }
      await storage.threads.setHead(owner, threadId, headBelow(tree, messageId));
    },
  };
}
