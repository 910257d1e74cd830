import { z } from "zod";
import type { SearchService } from "../services/search/search-service.ts";
import type { ThreadService } from "../services/threads/thread-service.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { foundThread, message, messageId, nothing, thread } from "./wire-schemas.ts";

const PAGE = 200;

const page = z.object({
  limit: z.coerce.number().int().min(1).max(PAGE).default(PAGE).describe("the most threads that are returned"),
  before: z
    .string()
    .max(128)
    .optional()
    .describe("a thread's id: only the threads after it in the list, which are older"),
  at: z.iso
    .datetime()
    .optional()
    .describe(
      "the `updatedAt` that `before` had in the list: the page continues from there, even if that thread has moved up",
    ),
  query: z
    .string()
    .optional()
    .describe("1 to 200 characters: the threads that have all of its words, best first, instead of a page"),
});
const rename = z.object({ title: z.string().describe("1 to 200 characters after trimming") });
const branch = z.object({ messageId: messageId.describe("a message of the branch that is open") });

export function threadOperations(threads: ThreadService, search: SearchService): readonly AnyOperation[] {
  return [
    operation({
      name: "listThreads",
      method: "GET",
      path: "/api/debug/threads",
      summary: "The visitor's threads, newest first.",
      takes: "nothing",
      query: page,
      responses: { 200: { description: "a page of threads, or the found ones", schema: z.array(foundThread) } },
      async handle({ owner, query }) {
        const found = query.query === undefined ? undefined : await search.find(owner, query.query);
        return { type: "json", value: found ?? (await threads.list(owner, query)) };
      },
    }),
    operation({
      name: "createThread",
      method: "POST",
      path: "/api/debug/threads",
      summary: "Creates a thread. Gives a new visitor a credential.",
      takes: "json",
      body: nothing,
      responses: { 200: { description: "the thread", schema: thread } },
      admitsNewVisitors: true,
      async handle({ owner, project, take }) {
        await take("threads");
        return { type: "json", value: await threads.create(owner, project) };
      },
    }),
    operation({
      name: "listMessages",
      method: "GET",
      path: "/api/debug/threads/:id/messages",
      summary: "All branches of a thread: parents before children, the end of the shown branch last.",
      takes: "nothing",
      responses: { 200: { description: "the messages", schema: z.array(message) } },
      async handle({ owner, project, id }) {
        const pieces = await threads.messages(owner, project, id);
        return { type: "pieces", status: 200, headers: { "content-type": "application/json" }, pieces };
      },
    }),
    operation({
      name: "renameThread",
      method: "POST",
      path: "/api/debug/threads/:id/rename",
      summary: "Renames a thread.",
      takes: "json",
      body: rename,
      responses: { 200: { description: "the thread", schema: thread } },
      async handle({ owner, id, body }) {
        return { type: "json", value: await threads.rename(owner, id, body.title) };
      },
    }),
    operation({
      name: "archiveThread",
      method: "POST",
      path: "/api/debug/threads/:id/archive",
      summary:
        "Archives a thread: it is no longer found, its run is cancelled, and its attachments are deleted an hour later.",
      takes: "json",
      body: nothing,
      responses: { 200: { description: "done", schema: nothing } },
      async handle({ owner, project, id }) {
        await threads.archive(owner, project, id);
        return { type: "json", value: {} };
      },
    }),
    operation({
      name: "restoreThread",
      method: "POST",
      path: "/api/debug/threads/:id/restore",
      summary: "Restores a thread within an hour of its archiving, with its messages and attachments unchanged.",
      takes: "json",
      body: nothing,
      reachesArchived: true,
      responses: { 200: { description: "the thread", schema: thread } },
      async handle({ owner, project, id }) {
        return { type: "json", value: await threads.restore(owner, project, id) };
      },
    }),
    operation({
      name: "showBranch",
      method: "POST",
      path: "/api/debug/threads/:id/branch",
      summary: "Stores which branch the visitor has open, so that it is shown next time.",
      takes: "json",
      body: branch,
      responses: { 200: { description: "done", schema: nothing } },
      async handle({ owner, id, body }) {
        await threads.showBranch(owner, id, body.messageId);
        return { type: "json", value: {} };
      },
    }),
  ];
}
