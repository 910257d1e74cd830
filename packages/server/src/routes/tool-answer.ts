import { MAX_REASON_CHARS } from "@nitka/protocol/feedback-request";
import { z } from "zod";
import type { VisitorCalls } from "../services/questions/visitor-calls.ts";
import { operation } from "./operation.ts";
import type { AnyOperation } from "./operation.ts";
import { nothing } from "./wire-schemas.ts";

const toolCallId = z.string().min(1).max(1_000);
const pageId = z.string().regex(/^[\x21-\x7e]{1,128}$/, "must be 1 to 128 visible ASCII characters");
const reason = z.string().max(MAX_REASON_CHARS, `must be at most ${MAX_REASON_CHARS} characters`);

/**
 * Any value, but not an absent one. With `abort` the error is the message of the whole union rather than of this field.
 */
const output = z.unknown().refine((value) => value !== undefined, { abort: true });

const sentence =
  "must be a toolCallId with one of these: output; errorText, a text; approved, true or false, with a reason or without; claim, a text";

const toolAnswer = z
  .union(
    [
      z.strictObject({ toolCallId, output }),
      z.strictObject({ toolCallId, errorText: z.string() }),
      z.strictObject({ toolCallId, approved: z.boolean(), reason: reason.exactOptional() }),
      z.strictObject({ toolCallId, claim: pageId.describe("an id of the page, new with each load") }),
    ],
    { error: sentence },
  )
  .meta({ id: "ToolAnswer" });

export function toolAnswerOperations(calls: VisitorCalls): readonly AnyOperation[] {
  return [
    operation({
      name: "answerTool",
      method: "POST",
      path: "/api/debug/threads/:id/run/tool",
      summary: "Answers a tool call that waits for the visitor or their page. The first answer counts.",
      takes: "json",
      body: toolAnswer,
      opaque: ["output"],
      responses: { 200: { description: "it counts", schema: nothing } },
      async handle({ owner, id, body, note }) {
        note({ threadId: id, toolCallId: body.toolCallId });
        await calls.answer(owner, id, body);
        return { type: "json", value: {} };
      },
    }),
  ];
}
