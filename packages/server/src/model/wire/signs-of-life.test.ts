import { expect, it } from "vitest";
import { createAnthropicModel } from "../anthropic.ts";
import { ask, textOfAnswer } from "../model.contract.ts";
import { createOpenAiCompatibleModel } from "../openai-compatible.ts";
import { createManualClock } from "../testing/manual-clock.ts";
import { createScriptedFetch, says, settledBy } from "../testing/scripted-fetch.ts";

const idleMs = 1_000;
const queued = [{ waitMs: 900 }, ": PROCESSING\n\n", { waitMs: 900 }, ": PROCESSING\n\n", { waitMs: 900 }];

it("A comment is a sign of life, for the run too", async () => {
  const clock = createManualClock();
  const { chunks = [] } = says("Hello");
  const { fetch } = createScriptedFetch(clock, () => ({ chunks: [...queued, ...chunks] }));
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream", fetch, clock });
  const signs: number[] = [];
  const onSignOfLife = () => signs.push(clock.now());
  const { events, error } = await settledBy(clock, ask({ model, question: "go" }, { idleMs, onSignOfLife }));
  expect(error).toBeUndefined();
  expect(textOfAnswer(events)).toBe("Hello");
  expect(signs.slice(0, 3)).toEqual([900, 1_800, 2_700]);
});

it("A ping of Anthropic's is a sign of life", async () => {
  const clock = createManualClock();
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  const { fetch } = createScriptedFetch(clock, () => ({ chunks: [{ waitMs: 900 }, ping, { waitMs: 900 }, ping] }));
  const model = createAnthropicModel({ model: "m", apiKey: "k", fetch, clock });
  const { error } = await settledBy(clock, ask({ model, question: "go" }, { idleMs }));
  expect(error).not.toMatchObject({ code: "silent" });
});

it("A part of a line is not a sign of life", async () => {
  const clock = createManualClock();
  const dribble = [{ waitMs: 900 }, "da", { waitMs: 900 }, "ta", { waitMs: 900 }, ": {"];
  const { fetch } = createScriptedFetch(clock, () => ({ chunks: dribble }));
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream", fetch, clock });
  const { error } = await settledBy(clock, ask({ model, question: "go" }, { idleMs }));
  expect(error).toMatchObject({ code: "silent" });
});
