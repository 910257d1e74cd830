import { describe, expect, it } from "vitest";
import { ask, textOfAnswer } from "./model.contract.ts";
import type { ModelRequest } from "./model.ts";
import { createScriptedService, refuses, says, settledBy } from "./testing/scripted-fetch.ts";
import type { ScriptedResponse } from "./testing/scripted-fetch.ts";

describe("a request to a model", () => {
  it.each<[string, ScriptedResponse]>([
    ["408", refuses(408)],
    ["429", refuses(429)],
    ["500", refuses(500)],
    ["503", refuses(503)],
    ["529", refuses(529)],
    ["a connection that is reset", { status: "reset" }],
    ["a response that breaks off before its first part", { end: "reset" }],
    [
      "an error of a stream before its first part",
      { chunks: ['data: {"error":{"message":"Overloaded","code":529}}\n\n'] },
    ],
  ])("is made again after %s: after 0.5 s, and after 2 s", async (_, failure) => {
    const { texts, at, error } = await asking([failure, failure, says("At last")]);
    expect([texts, at, error]).toEqual(["At last", [0, 500, 2_500], undefined]);
  });

  it("is made at most three times, and the last error is reported", async () => {
    const { at, error } = await asking([refuses(500), refuses(502), refuses(429)]);
    expect(at).toEqual([0, 500, 2_500]);
    expect(error).toMatchObject({ code: "upstream_limited", status: 429 });
  });

  it.each([400, 401, 403, 404, 409, 422])("is not retried after %i", async (status) => {
    expect((await asking([refuses(status)])).at).toEqual([0]);
  });

  const now = "Wed, 21 Oct 2026 07:28:00 GMT";
  it.each<[string, Readonly<Record<string, string>>, readonly number[]]>([
    ["a second", { "retry-after": "1" }, [0, 1_000]],
    ["no wait", { "retry-after": "0" }, [0, 0]],
    ["five seconds", { "retry-after": "5" }, [0, 5_000]],
    ["more than five seconds", { "retry-after": "6" }, [0]],
    ["a date in three seconds", { date: now, "retry-after": "Wed, 21 Oct 2026 07:28:03 GMT" }, [0, 3_000]],
    ["a date that has passed", { date: now, "retry-after": "Wed, 21 Oct 2026 07:27:03 GMT" }, [0, 0]],
    ["a date in a minute", { date: now, "retry-after": "Wed, 21 Oct 2026 07:29:00 GMT" }, [0]],
    ["nothing readable", { "retry-after": "soon" }, [0, 500]],
  ])("follows a Retry-After of %s", async (_, headers, expected) => {
    expect((await asking([refuses(429, "No.", headers), says("ok")])).at).toEqual(expected);
  });

  it("is not retried after a part has arrived", async () => {
    const { texts, at, error } = await asking([
      { ...says("Half"), end: "reset", chunks: says("Half").chunks?.slice(0, 1) ?? [] },
    ]);
    expect([texts, at]).toEqual(["Half", [0]]);
    expect(error).toMatchObject({ code: "upstream_unavailable" });
  });

  it("is not retried after silence", async () => {
    const { at, error } = await asking([{ end: "silence" }], { idleMs: 60_000 });
    expect([at, error]).toMatchObject([[0], { code: "silent" }]);
  });

  it("is retried for a title", async () => {
    const title = JSON.stringify({ choices: [{ message: { content: "Tea at five" }, finish_reason: "stop" }] });
    const { clock, model, sent } = createScriptedService([refuses(503), { chunks: [title] }]);
    const history = [{ id: "1", role: "user" as const, content: "When is tea?" }];
    expect(await settledBy(clock, model.title({ history, signal: new AbortController().signal }))).toBe("Tea at five");
    expect(sent.map(({ at }) => at)).toEqual([0, 500]);
  });
});

async function asking(responses: readonly ScriptedResponse[], more: Partial<ModelRequest> = {}) {
  const { clock, model, sent } = createScriptedService(responses);
  const { events, error } = await settledBy(clock, ask({ model, question: "go" }, more));
  return { texts: textOfAnswer(events), at: sent.map(({ at }) => at), error };
}
