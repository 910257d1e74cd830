/**
 * Random lives of an upstream, each a conversation, 2,000 of them with `NITKA_THOROUGH=1`. `NITKA_UPSTREAM_LIVES=1
 * NITKA_LIVES_SEED=7` plays this many of them, beginning with that seed.
 */
import type { Attachment, Message } from "@nitka/protocol";
import { tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withFallback } from "../../model/fallback-model.ts";
import { ask, partsOfAnswer } from "../../model/model.contract.ts";
import { ModelError } from "../../model/model.ts";
import { createOpenAiCompatibleModel } from "../../model/openai-compatible.ts";
import { absentVisitor } from "../../model/testing/absent-visitor.ts";
import { createManualClock } from "../../model/testing/manual-clock.ts";
import { calls, createScriptedFetch, refuses, settledBy, streaming } from "../../model/testing/scripted-fetch.ts";
import type { ScriptedResponse, SentBody } from "../../model/testing/scripted-fetch.ts";
import { modelHistory } from "./model-request.ts";

const COUNT = Number(process.env["NITKA_UPSTREAM_LIVES"] ?? (process.env["NITKA_THOROUGH"] === undefined ? 50 : 2_000));
const FIRST = Number(process.env["NITKA_LIVES_SEED"] ?? 1);

/** Contained in all reasoning. */
const THOUGHT = "мысль-7193";

/** Longer than all attempts of all steps may take if each is silent up to its limit. */
const LIFE_MS = 3_600_000;

type Random = ReturnType<typeof createRandom>;

/** A response, and whether an answer whose last request gets it is complete. */
interface Turn {
  readonly response: ScriptedResponse;
  readonly isWhole: boolean;
}

const look = tool({ inputSchema: z.object({}), execute: async () => "42" });
const hang = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => undefined) });
const basket = { name: "basket", description: "Adds", parameters: { type: "object" } };

const files: readonly Attachment[] = [
  { id: "f1", type: "image", name: "a.png", contentType: "image/png", size: 4, url: "files/1" },
  { id: "f2", type: "document", name: "b.pdf", contentType: "application/pdf", size: 4, url: "files/2" },
  { id: "f3", type: "file", name: "c.ogg", contentType: "audio/ogg", size: 4, url: "files/3" },
  { id: "f4", type: "document", name: "d.txt", contentType: "text/plain", size: 4, url: "files/4" },
];

describe.each(Array.from({ length: Math.ceil(COUNT / 50) }, (_, index) => FIRST + index * 50))(
  "lives from seed %i",
  (from) => {
    it("end each answer with the right status, and send only what a model accepts", async () => {
      const wrongs: string[] = [];
      const last = Math.min(from + 50, FIRST + COUNT);
      for (let seed = from; seed < last; seed += 1)
        wrongs.push(...(await live(seed)).map((wrong) => `${seed}: ${wrong}`));
      expect(wrongs).toEqual([]);
    });
  },
);

async function live(seed: number): Promise<readonly string[]> {
  const random = createRandom(seed);
  const clock = createManualClock();
  const input = random.pick([undefined, [], ["image"], ["image", "pdf", "audio"]] as const);
  const sendsTools = random.chance(0.8);
  const wrongs: string[] = [];
  let last: Turn | undefined;
  const upstream = createScriptedFetch(clock, (_, body) => {
    wrongs.push(...wrongsOf(body, input ?? ["image"], sendsTools));
    last = turnOf(random);
    return last.response;
  });
  const create = (id: string) =>
    createOpenAiCompatibleModel({
      model: id,
      baseUrl: "http://upstream/v1",
      fetch: upstream.fetch,
      tools: { look, hang },
      sendsTools,
      clock,
      maxSteps: 4,
      ...(input ? { input } : {}),
    });
  const model = random.chance(0.3) ? withFallback(create("first"), create("second"), { clock }) : create("first");
  const visitor = {
    ...absentVisitor,
    tools: random.chance(0.4) ? [basket] : [],
    runOnPage: async function* runOnPage() {
      yield* [];
      return { type: "output", output: "added" } as const;
    },
  };

  const thread: Message[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const attachments = files.filter(() => random.chance(0.2));
    const parentId = thread.at(-1)?.id ?? null;
    thread.push({ id: `q${turn}`, role: "user", content: `question ${turn}`, attachments, parentId });
    last = undefined;
    const history = modelHistory(thread, `q${turn}`);
    const readAttachment = async () => Buffer.from("%PDF");
    const limits = { idleMs: 60_000, firstByteMs: 20_000, toolMs: 60_000 };
    const asked = ask({ model, question: "" }, { history, readAttachment, visitor, ...limits });
    const { events, error } = await settledBy(clock, asked, LIFE_MS);
    const content = partsOfAnswer(events);
    const ended = last as Turn | undefined;
    if (!ended) wrongs.push("nothing was asked");
    if (error !== undefined && !(error instanceof ModelError)) wrongs.push("it throws another error than a ModelError");
    if (ended?.isWhole && error !== undefined) wrongs.push(`a whole answer failed: ${JSON.stringify([error, ended])}`);
    if (ended && !ended.isWhole && error === undefined) wrongs.push(`no error after ${JSON.stringify(ended)}`);
    if (error === undefined && content.length === 0) wrongs.push("an answer without an error is empty");
    const status =
      error === undefined ? ({ type: "complete" } as const) : ({ type: "incomplete", reason: "error" } as const);
    thread.push({ id: `a${turn}`, role: "assistant", content, status, parentId: `q${turn}` });
  }
  return [...new Set(wrongs)];
}

/** The mistakes that no request may contain. */
function wrongsOf({ messages, tools }: SentBody, input: readonly string[], sendsTools: boolean): readonly string[] {
  const wrongs: string[] = [];
  const roles = messages.map(({ role }) => role);
  if (roles.some((role, index) => role !== "tool" && role === roles[index - 1]))
    wrongs.push(`two in a row: ${roles.join()}`);
  if (roles.some((role, index) => role === "user" && roles[index - 1] === "tool"))
    wrongs.push(`a question right behind a tool: ${roles.join()}`);
  const called = messages.flatMap(({ tool_calls }) => (tool_calls ?? []) as readonly { readonly id: string }[]);
  const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
  if (called.map(({ id }) => id).join() !== answered.join())
    wrongs.push(`calls ${called.length}, answers ${answered.length}`);
  const lastQuestion = roles.lastIndexOf("user");
  const toldCalls = messages.slice(0, lastQuestion).some(({ tool_calls }) => tool_calls);
  if (!sendsTools && (tools !== undefined || toldCalls)) wrongs.push("tools, where the model takes none");
  const told = JSON.stringify(
    messages.map(({ reasoning_content, ...message }, index) =>
      index < lastQuestion ? { reasoning_content, ...message } : message,
    ),
  );
  if (told.includes(THOUGHT)) wrongs.push("thoughts of an earlier answer, or in a text");
  const bytes = { image: "image_url", pdf: "file_data", audio: "input_audio" };
  for (const [kind, field] of Object.entries(bytes)) {
    if (told.includes(field) && !input.includes(kind)) wrongs.push(`bytes of a kind that it does not read: ${kind}`);
  }
  return wrongs;
}

function turnOf(random: Random): Turn {
  const afterMs = random.pick([0, 0, 100, 3_000, 15_000]);
  const said = [
    ...(random.chance(0.3) ? [{ reasoning_content: THOUGHT }] : []),
    ...(random.chance(0.2) ? [{ content: `<think>${THOUGHT}</think>` }] : []),
    ...Array.from({ length: random.upTo(4) + 1 }, (_, n) => ({ content: `слово ${n} ` })),
  ];
  const whole = streaming(said, random.pick(["stop", "stop", "eos", "length"]));
  const chunks = random.cut(whole.join(""));
  const between = random.pick([": PROCESSING\n\n", "\n", ": \n\n", ""]);
  const waits = chunks.flatMap((chunk) => [{ waitMs: random.pick([0, 0, 200, 9_000]) }, chunk]);
  const refusal = random.pick([400, 401, 403, 404, 408, 409, 413, 422, 429, 429, 500, 502, 503, 503, 529]);
  const retryAfter: Readonly<Record<string, string>> = random.pick([
    {},
    {},
    { "retry-after": "1" },
    { "retry-after": "900" },
    { "retry-after": "soon" },
    { date: "Wed, 21 Oct 2026 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2026 07:28:03 GMT" },
  ]);
  const failed = (response: ScriptedResponse): Turn => ({ response: { afterMs, ...response }, isWhole: false });
  return random.pick<() => Turn>([
    () => ({ response: { afterMs, chunks }, isWhole: true }),
    () => ({ response: { afterMs, chunks: [between, ...waits] }, isWhole: true }),
    () => ({ response: { afterMs, ...calls("look", {}, random.pick(["tool_calls", "stop", "eos"])) }, isWhole: true }),
    () => ({ response: calls(random.pick(["hang", "basket", "unknown"])), isWhole: true }),
    () => failed(refuses(refusal, random.pick(["No.", "maximum context length is 8192 tokens"]), retryAfter)),
    () => failed(refuses(refusal, "No.", retryAfter)),
    () => failed({ status: "reset" }),
    () => failed({ end: "reset" }),
    () => failed({ end: "silence" }),
    () => failed({ chunks: whole.slice(0, 1), end: random.pick(["reset", "silence"] as const) }),
    () => failed({ chunks: [Uint8Array.from({ length: 200 }, () => random.upTo(256))] }),
    () => failed({ chunks: ["<html>Bad gateway</html>"] }),
    () => failed({ chunks: [] }),
    () => failed({ chunks: ['data: {"error":{"message":"Overloaded","code":529}}\n\n'] }),
    () => failed({ chunks: ["data: [DONE]\n\n"] }),
  ])();
}

function createRandom(seed: number) {
  let state = seed * 2_654_435_761;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (limit: number) => Math.floor(next() * limit);
  return {
    upTo,
    chance: (share: number) => next() < share,
    pick: <T>(choices: readonly T[]): T => choices[upTo(choices.length)] as T,
    /** Cuts a text's bytes at random places, also inside letters. */
    cut: (text: string): readonly Uint8Array<ArrayBuffer>[] => {
      const bytes = new TextEncoder().encode(text);
      const places = Array.from({ length: upTo(5) }, () => upTo(bytes.length)).toSorted((a, b) => a - b);
      return [0, ...places].map((from, index) => bytes.slice(from, places[index]));
    },
  };
}
