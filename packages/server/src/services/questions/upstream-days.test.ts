import type { Attachment, Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { withFallback } from "../../model/fallback-model.ts";
import { ask, partsOfAnswer, textOfAnswer } from "../../model/model.contract.ts";
import { createOpenAiCompatibleModel } from "../../model/openai-compatible.ts";
import type { ProviderModelOptions } from "../../model/provider-model.ts";
import { absentVisitor } from "../../model/testing/absent-visitor.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import type { ManualClock } from "../../model/testing/manual-clock.ts";
import { calls, createScriptedFetch, refuses, says, settledBy } from "../../model/testing/scripted-fetch.ts";
import type { ScriptedResponse, SentBody } from "../../model/testing/scripted-fetch.ts";
import { modelHistory } from "./model-request.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FIRST_BYTE_MS = 20_000;

function modelAt(
  clock: ManualClock,
  respond: (body: SentBody) => ScriptedResponse,
  more: Partial<ProviderModelOptions> = {},
) {
  const { fetch, sent } = createScriptedFetch(clock, (_, body) => respond(body));
  const model = createOpenAiCompatibleModel({ model: "m", baseUrl: "http://upstream/v1", fetch, clock, ...more });
  return { model, sent };
}

it("A day with outages of a provider has no failed answer, and 99 % begin within firstByteMs and 2 s", async () => {
  const clock = createManualClock();
  /** Down twice for 20 minutes, slow for an hour, limited for an hour. */
  const { model } = modelAt(clock, () => {
    const hour = clock.now() / HOUR_MS;
    if (hour >= 9 && hour < 9 + 1 / 3) return refuses(503);
    if (hour >= 15 && hour < 15 + 1 / 3) return { status: "reset" };
    if (hour >= 18 && hour < 19) return { ...says("Slow"), afterMs: 45_000 };
    return hour >= 20 && hour < 21 ? refuses(429, "No.", { "retry-after": "30" }) : says("Well");
  });
  const { model: spare } = modelAt(clock, () => ({ ...says("Spare"), afterMs: 800 }));
  const withSpare = withFallback(model, spare, { clock });
  const answers: { readonly text: string; readonly failed: boolean; readonly firstMs: number }[] = [];
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    const askedAt = minute * MINUTE_MS;
    await clock.advance(askedAt - clock.now());
    let firstMs = Number.POSITIVE_INFINITY;
    const { events, error } = await settledBy(
      clock,
      ask({ model: withSpare, question: "go" }, { firstByteMs: FIRST_BYTE_MS }, ({ type }) => {
        if (type === "text-delta") firstMs = Math.min(firstMs, clock.now() - askedAt);
      }),
    );
    answers.push({ text: textOfAnswer(events), failed: error !== undefined, firstMs });
  }
  expect(answers.filter(({ failed }) => failed)).toEqual([]);
  const inTime = answers.filter(({ firstMs }) => firstMs <= FIRST_BYTE_MS + 2_000);
  expect(inTime.length).toBeGreaterThanOrEqual(0.99 * answers.length);
  expect(answers.filter(({ text }) => text === "Spare")).toHaveLength(160);
});

const picture: Attachment = { id: "1", type: "image", name: "a.png", contentType: "image/png", size: 4, url: "a/1" };
const scan: Attachment = {
  id: "2",
  type: "document",
  name: "b.pdf",
  contentType: "application/pdf",
  size: 4,
  url: "a/2",
};
const basket = { name: "basket", description: "Adds", parameters: { type: "object" } };
const visitor = {
  ...absentVisitor,
  tools: [basket],
  runOnPage: async function* runOnPage() {
    yield* [];
    return { type: "output", output: "added" } as const;
  },
};

/** Servers that refuse what they do not accept, as local ones do. */
const servers: Readonly<
  Record<string, readonly [(body: SentBody) => ScriptedResponse, Partial<ProviderModelOptions>]>
> = {
  "reads no pictures, and nobody has said so": [
    (body) =>
      /image_url|file_data/.test(JSON.stringify(body)) ? refuses(400, "no images") : callsOnce(body, says("Да")),
    { input: ["image", "pdf"] },
  ],
  "reads no pictures": [
    (body) =>
      /image_url|file_data/.test(JSON.stringify(body)) ? refuses(400, "no images") : callsOnce(body, says("Да")),
    { input: [] },
  ],
  "takes no tools": [
    (body) => (/"tools"|tool_calls|"role":"tool"/.test(JSON.stringify(body)) ? refuses(400, "no tools") : says("Да")),
    { sendsTools: false },
  ],
  "thinks in tags": [
    (body) =>
      JSON.stringify(body).includes("мысль")
        ? refuses(400, "thoughts")
        : callsOnce(body, says("<think>мысль</think>Да")),
    {},
  ],
};

/** Calls the page's tool in answer to a question about the basket. */
function callsOnce({ messages }: SentBody, answer: ScriptedResponse): ScriptedResponse {
  const last = messages.at(-1);
  return last?.role === "user" && JSON.stringify(last.content).includes("basket") ? calls("basket") : answer;
}

it.each(Object.keys(servers))(
  "A model that %s answers 20 questions with pictures, PDF and tools of the page",
  async (name) => {
    const clock = createManualClock();
    const [respond, options] = servers[name] ?? [() => refuses(500), {}];
    const { model, sent } = modelAt(clock, respond, options);
    const thread: Message[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const content = turn % 3 === 1 ? `put ${turn} into the basket` : `question ${turn}`;
      const attachments = [...(turn % 4 === 0 ? [picture] : []), ...(turn % 5 === 2 ? [scan] : [])];
      thread.push({ id: `q${turn}`, role: "user", content, attachments, parentId: thread.at(-1)?.id ?? null });
      const history = modelHistory(thread, `q${turn}`);
      const readAttachment = async () => Buffer.from("%PDF");
      const { events, error } = await settledBy(
        clock,
        ask({ model, question: "" }, { history, visitor, readAttachment }),
      );
      expect([turn, error, textOfAnswer(events)]).toEqual([turn, undefined, "Да"]);
      thread.push({ id: `a${turn}`, role: "assistant", content: partsOfAnswer(events), parentId: `q${turn}` });
    }
    expect(sent.length).toBeGreaterThanOrEqual(20);
  },
);
