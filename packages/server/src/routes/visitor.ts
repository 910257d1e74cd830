import { z } from "zod";
import { ChatError } from "../chat-error.ts";
import type { VisitorCredentials } from "../http/visitor-credentials.ts";
import { MAX_VERSION_CHARS } from "../services/projects/ready-projects.ts";
import type { VisitorService } from "../services/threads/visitor-service.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { attachment, message, thread } from "./wire-schemas.ts";

const claim = z.object({
  token: z
    .string()
    .max(1_000)
    .optional()
    .describe("the anonymous visitor's token, as the config gave it; without it, the visitor of the cookie"),
});

const consent = z.object({ version: z.string().max(MAX_VERSION_CHARS).describe("of the config's `consent`") });

const visitorDocument = z.object({
  projectId: z.string(),
  visitorId: z.string(),
  threads: z.array(
    thread.extend({
      createdAt: z.string(),
      archivedAt: z.string().optional(),
      messages: z.array(message),
      runs: z.array(z.unknown()),
      approvals: z.array(z.unknown()),
      attachments: z.array(
        attachment.extend({
          createdAt: z.string(),
          data: z.string().describe("base64"),
          missing: z.literal(true).optional().describe("a part of the file is lost: `data` has the bytes before it"),
        }),
      ),
    }),
  ),
  usage: z.array(z.unknown()).describe("tokens by day and model"),
  consents: z.array(z.object({ version: z.string(), at: z.string() })),
});

export function visitorOperations(service: VisitorService, visitors: VisitorCredentials): readonly AnyOperation[] {
  return [
    operation({
      name: "eraseVisitor",
      method: "DELETE",
      path: "/api/debug/visitor",
      summary: "Deletes all threads and files of the visitor, and the cookie.",
      takes: "nothing",
      responses: { 204: { description: "done" } },
      async handle({ owner, project, visitor }) {
        // A new visitor has no data, and webhooks need no event.
        if (visitor.by !== "new") await service.erase(owner, project);
        return { type: "empty", status: 204, dropsCookie: true };
      },
    }),
    operation({
      name: "exportVisitor",
      method: "GET",
      path: "/api/debug/visitor/export",
      summary:
        "Everything that is stored of the visitor, as one JSON document: threads with messages and files, also deleted ones that can be restored, usage by day, consents.",
      takes: "nothing",
      responses: { 200: { description: "the document", schema: visitorDocument } },
      async handle({ owner, project }) {
        const pieces = await service.export(owner, project);
        return { type: "pieces", status: 200, headers: { "content-type": "application/json" }, pieces };
      },
    }),
    operation({
      name: "agreeVisitor",
      method: "POST",
      path: "/api/debug/visitor/consent",
      summary: "The visitor agrees to the current version of the config's `consent`. Questions and uploads need it.",
      takes: "json",
      body: consent,
      responses: { 204: { description: "stored" } },
      async handle({ project, owner, visitor, body }) {
        // A new visitor cannot prove in the next request that they are the same visitor.
        if (visitor.by === "new") {
          throw new ChatError(
            "unauthorized",
            "The request does not identify the visitor who agrees: send the cookie, or the token from the config.",
          );
        }
        await service.agree(owner, project, body.version);
        return { type: "empty", status: 204 };
      },
    }),
    operation({
      name: "claimVisitor",
      method: "POST",
      path: "/api/debug/visitor/claim",
      summary: "Moves the threads of this browser's anonymous visitor to the visitor whom the host's token names.",
      takes: "json",
      body: claim,
      responses: {
        200: { description: "how many threads were moved", schema: z.object({ threads: z.number().int() }) },
      },
      async handle({ request, project, owner, visitor, body }) {
        if (visitor.by !== "host") {
          throw new ChatError(
            "unauthorized",
            "Threads are claimed with the host's own token: send it as a bearer token.",
          );
        }
        const anonymousId = visitors.anonymous(request, project, body.token);
        return { type: "json", value: { threads: await service.claim(owner, anonymousId) } };
      },
    }),
  ];
}
