import type { FixtureFileResponse, FixtureOpts } from "@copilotkit/aimock";
import { describe, expect, it, vi } from "vitest";
import { ask, textOfAnswer } from "./model.contract.ts";
import { createOpenAiCompatibleModel } from "./openai-compatible.ts";
import { hurriedClock } from "./testing/manual-clock.ts";
import { serverForFile } from "./wire/played-upstream.contract.ts";
import { answering as answeringAt, upstreamForFile, rawUpstream } from "./staged-upstream.contract.ts";

const upstream = upstreamForFile();

/** Its path has the status with which it redirects. */
const moved: (string | undefined)[] = [];
const moving = serverForFile(({ url = "", method }, response) => {
  if (!url.startsWith("/moved")) {
    return response.writeHead(Number(url.split("/")[1]), { location: "/moved?key=secret" }).end();
  }
  moved.push(method);
  return response.end(JSON.stringify({ choices: [{ message: { content: "Here" }, finish_reason: "stop" }] }));
});

function redirecting(status: number) {
  moved.length = 0;
  return createOpenAiCompatibleModel({ model: "m", baseUrl: `${moving.url()}/${status}`, clock: hurriedClock });
}

describe("toModelError with real upstreams", () => {
  it.each([
    [429, "slow down", "upstream_limited", 3],
    [429, "You exceeded your current quota", "upstream_limited", 3],
    [401, "Incorrect API key provided", "upstream_refused", 1],
    [403, "not for you", "upstream_refused", 1],
    [400, "This model's maximum context length is 8192 tokens", "context_too_long", 1],
    [413, "too large", "context_too_long", 1],
    [400, "the request exceeds the available context size", "context_too_long", 1],
    [402, "Insufficient Balance", "upstream_limited", 1],
    [400, "temperature is out of range", "upstream_refused", 1],
    [404, "The model `x` does not exist", "upstream_refused", 1],
    [408, "timeout", "upstream_unavailable", 3],
    [400, "The response was filtered: content_filter", "upstream_refused", 1],
    [500, "oops", "upstream_unavailable", 3],
    [503, "overloaded", "upstream_unavailable", 3],
    [529, "overloaded", "upstream_unavailable", 3],
  ])(
    "reads %i (%s) as %s, sends it %i times, and quotes no word of the upstream",
    async (status, message, code, times) => {
      const { error } = await ask(answering({ error: { message }, status }));
      expect(error).toMatchObject({ name: "ModelError", code, cause: { statusCode: status } });
      expect((error as Error).message).not.toContain(message);
      expect(upstream.getRequests()).toHaveLength(times);
    },
  );

  it("keeps the text that arrived before the upstream is cut off", async () => {
    const staged = answering(
      { content: "A long answer that is cut in the middle" },
      { latency: 15, disconnectAfterMs: 80 },
    );
    const { events, error } = await ask(staged);
    expect(error).toMatchObject({ code: "upstream_unavailable" });
    expect(textOfAnswer(events)).toMatch(/^A long/);
  });

  it.each([
    ['{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}', "upstream_limited"],
    ['{"error":{"message":"The server is overloaded","type":"server_error"}}', "upstream_unavailable"],
    ['{"error":{"message":"maximum context length exceeded","code":"context_length_exceeded"}}', "context_too_long"],
    ['{"error":{"message":"Slow down","code":429}}', "upstream_limited"],
    ['{"error":{"message":"No such key","code":401}}', "upstream_refused"],
    ['{"error":{"message":"Something odd"}}', "upstream_unavailable"],
    ['{"choices":[{"del', "upstream_unavailable"],
  ])("reads the error in the middle of a stream: %s", async (chunk, code) => {
    const { error, events } = await ask(await rawUpstream(['{"choices":[{"delta":{"content":"Half"}}]}', chunk]));
    expect(error).toMatchObject({ code });
    expect(textOfAnswer(events)).toBe("Half");
  });

  it("reports an upstream that cannot be reached as unavailable", async () => {
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://127.0.0.1:9", clock: hurriedClock });
    expect((await ask({ model, question: "go" })).error).toMatchObject({ code: "upstream_unavailable" });
  });

  it.each([301, 302, 303])(
    "names the address that an upstream redirects to with %i, and asks it once",
    async (status) => {
      const { error } = await ask({ model: redirecting(status), question: "go" });
      expect(error).toMatchObject({
        code: "upstream_unavailable",
        cause: { message: `a redirect (HTTP ${status}) to ${moving.url()}/moved: set its baseUrl to the new address` },
      });
      expect(moved).toEqual([]);
    },
  );

  it.each([307, 308])("follows a redirect that keeps the question: %i", async (status) => {
    expect(textOfAnswer((await ask({ model: redirecting(status), question: "go" })).events)).toBe("Here");
    expect(moved).toEqual(["POST"]);
  });

  it.each(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"])("reports silence, and asks once: %s", async (code) => {
    let asked = 0;
    const fetch = async () => {
      asked += 1;
      throw new TypeError("fetch failed", { cause: Object.assign(new Error("Headers Timeout Error"), { code }) });
    };
    const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://m.example", fetch, clock: hurriedClock });
    expect((await ask({ model, question: "go" })).error).toMatchObject({ code: "silent" });
    expect(asked).toBe(1);
  });

  it("reports an empty response", async () => {
    expect((await ask(answering({ content: "" }))).error).toMatchObject({ code: "empty" });
  });

  it("prints nothing to the console", async () => {
    const printed = vi.spyOn(console, "error");
    const warned = vi.spyOn(console, "warn");
    await ask(answering({ error: { message: "no" }, status: 500 }));
    upstream.clearFixtures();
    await ask(answering({ content: "cut cut cut" }, { latency: 15, disconnectAfterMs: 40 }));
    expect([...printed.mock.calls, ...warned.mock.calls]).toEqual([]);
  });
});

function answering(response: FixtureFileResponse, opts: FixtureOpts = {}) {
  return answeringAt(upstream, response, opts, { clock: hurriedClock });
}
