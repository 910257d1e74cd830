import type { Attachment, Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { ask } from "./model.contract.ts";
import type { ModelRequest, RequestAgain } from "./model.ts";
import { createScriptedService, refuses, says, settledBy } from "./testing/scripted-fetch.ts";
import type { ScriptedResponse } from "./testing/scripted-fetch.ts";

const picture: Attachment = { id: "1", type: "image", name: "a.png", contentType: "image/png", size: 4, url: "a/1" };
const withPicture: Partial<ModelRequest> = {
  history: [{ id: "q", role: "user", content: "What is this?", attachments: [picture] }],
  readAttachment: async () => Buffer.from("PNG"),
};
const history: readonly Message[] = [
  { id: "q1", role: "user", content: "one" },
  { id: "a1", role: "assistant", content: [{ type: "text", text: "1" }] },
  { id: "q2", role: "user", content: "two" },
];
const tooLong = refuses(400, "This model's maximum context length is 8192 tokens");

function staged(responses: readonly ScriptedResponse[]) {
  const { clock, model } = createScriptedService(responses);
  const told: RequestAgain[] = [];
  return { clock, model, told, onAgain: (again: RequestAgain) => void told.push(again) };
}

async function toldOf(responses: readonly ScriptedResponse[], more: Partial<ModelRequest> = {}) {
  const { clock, model, told, onAgain } = staged(responses);
  await settledBy(clock, ask({ model, question: "go" }, { onAgain, ...more }));
  return told;
}

const failed = { modelId: "m", reason: "failed" } as const;

it("Each retry is reported with its reason, number and wait, and the last failure is not", async () => {
  const limited = refuses(429, "No.", { "retry-after": "1" });
  expect(await toldOf([limited, { status: "reset" }, refuses(503)])).toEqual([
    { ...failed, code: "upstream_limited", status: 429, attempt: 2, waitMs: 1_000 },
    { ...failed, code: "upstream_unavailable", attempt: 3, waitMs: 2_000 },
  ]);
});

it("A request that is repeated without files, or with half of the history, is reported", async () => {
  expect(await toldOf([refuses(415), says("ok")], withPicture)).toEqual([{ modelId: "m", reason: "without_files" }]);
  expect(await toldOf([tooLong, says("ok")], { history })).toEqual([{ modelId: "m", reason: "half_history" }]);
});

it("A request that is not repeated reports nothing", async () => {
  expect(await toldOf([says("ok")])).toEqual([]);
  expect(await toldOf([refuses(401)], withPicture)).toEqual([]);
  expect(await toldOf([refuses(415), refuses(415)])).toEqual([]);
  expect(await toldOf([tooLong])).toEqual([]);
});

it("A retry for a title is reported", async () => {
  const title = { chunks: [JSON.stringify({ choices: [{ message: { content: "Tea" }, finish_reason: "stop" }] })] };
  const { clock, model, told, onAgain } = staged([refuses(500), title]);
  await settledBy(clock, model.title({ history, signal: new AbortController().signal, onAgain }));
  expect(told).toEqual([{ ...failed, code: "upstream_unavailable", status: 500, attempt: 2, waitMs: 500 }]);
});
