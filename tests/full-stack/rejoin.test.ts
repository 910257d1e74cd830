import type { Message, StreamEvent } from "@nitka/protocol";
import type { NewId } from "@nitka/server";
import { saying } from "@nitka/server/testing";
import { describe, expect, it } from "vitest";
import type { Fetch } from "./chat.ts";
import { createVisitor, openWidget, startServer } from "./chat.ts";

/** A run with an event of every kind. */
const events: readonly StreamEvent[] = [
  { type: "start-step" },
  { type: "reasoning-start", id: "r" },
  { type: "reasoning-delta", id: "r", delta: "Сначала " },
  { type: "reasoning-delta", id: "r", delta: "подумаю." },
  { type: "reasoning-end", id: "r" },
  { type: "data-progress", text: "Спрашиваю службу погоды" },
  { type: "tool-input-start", toolCallId: "c1", toolName: "weather" },
  { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '{"city":' },
  { type: "tool-input-delta", toolCallId: "c1", inputTextDelta: '"Москва"}' },
  { type: "tool-input-available", toolCallId: "c1", toolName: "weather", input: { city: "Москва" } },
  { type: "tool-output-available", toolCallId: "c1", output: { sky: "ясно", градусы: 18 } },
  { type: "finish-step" },
  { type: "text-start", id: "t" },
  { type: "text-delta", id: "t", delta: "Сейчас " },
  { type: "text-delta", id: "t", delta: "ясно 👩‍👩‍👧" },
  { type: "text-delta", id: "t", delta: ", +18.\n" },
  { type: "text-end", id: "t" },
  { type: "source-url", sourceId: "s", url: "https://example.com/", title: "Метеослужба" },
  { type: "file", url: "data:text/csv;base64,YQ==", mediaType: "text/csv", filename: "а.csv" },
];

/** The events of the whole stream: the server adds `start`, the title and `finish`. */
const FRAMES = events.length + 3;

/** A `fetch` that breaks a run's first stream after this many events or bytes. With 0 events no response arrives. */
function breaking(fetch: Fetch, breakAfter: { readonly events?: number; readonly bytes?: number }): Fetch {
  let broken = false;
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body } = response;
    if (broken || body === null || !/run\/stream/.test(new Request(input, init).url)) return response;
    broken = true;
    let frames = 0;
    let bytes = 0;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        for (const [index, byte] of chunk.entries()) {
          const isFrameEnd = byte === 10 && (index === 0 ? false : chunk[index - 1] === 10);
          if (isFrameEnd) frames += 1;
          bytes += 1;
          if (frames === breakAfter.events || bytes === breakAfter.bytes) {
            controller.enqueue(chunk.slice(0, index + 1));
            controller.error(new TypeError("terminated"));
            return;
          }
        }
        controller.enqueue(chunk);
      },
    });
    if (breakAfter.events === 0) {
      await body.cancel();
      throw new TypeError("fetch failed");
    }
    return new Response(body.pipeThrough(cut), response);
  };
}

/** Asks a question, breaks its first stream, and returns the finished answer. Ids are the same in every run. */
async function finishedAnswer(breakAfter: { readonly events?: number; readonly bytes?: number }): Promise<{
  readonly shown: ReturnType<typeof comparable>;
  readonly stored: ReturnType<typeof comparable>;
  readonly count: number;
  readonly logged: readonly string[];
}> {
  const counts = new Map<string, number>();
  const newId: NewId = (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}-${count}`;
  };
  await using server = await startServer(() => events.map((event) => ({ event })), {
    newId,
    clock: () => new Date("2026-03-10T12:00:00Z"),
  });
  const fetch = createVisitor(server);
  const widget = await openWidget(breaking(fetch, breakAfter));
  await widget.ask("вопрос");
  const stored = await widget.transport.listMessages(widget.threadId());
  const [question, ...answers] = widget.messages();
  expect(question?.role).toBe("user");
  return {
    shown: comparable(answers[0]),
    stored: comparable(stored.at(-1)),
    count: answers.length,
    logged: widget.logged,
  };
}

/** An answer without its times and its parent's id, which the client chooses at random. */
function comparable(answer: Message | undefined): Pick<Message, "id" | "role" | "content" | "status"> | undefined {
  if (!answer) return undefined;
  const { id, role, content, status } = answer;
  return { id, role, content, ...(status && { status }) };
}

describe("the stream of an answer", () => {
  it("shows the stored answer when it does not break", async () => {
    const whole = await finishedAnswer({});
    expect(whole.shown).toEqual(whole.stored);
    expect(whole).toMatchObject({ count: 1, logged: [], shown: { status: { type: "complete" } } });
    expect(whole.shown?.content).toHaveLength(5);
  });

  it.each(Array.from({ length: FRAMES + 1 }, (_, index) => index))(
    "is rejoined when it breaks after event %i, and the answer is the same byte for byte",
    async (count) => {
      const [whole, broken] = [await finishedAnswer({}), await finishedAnswer({ events: count })];
      expect(JSON.stringify(broken.shown)).toBe(JSON.stringify(whole.shown));
      expect(JSON.stringify(broken.stored)).toBe(JSON.stringify(whole.stored));
      expect(broken.count).toBe(1);
    },
  );

  it("is rejoined when it breaks within an event, and the answer is the same byte for byte", async () => {
    const whole = JSON.stringify((await finishedAnswer({})).shown);
    for (let bytes = 1; bytes < 1600; bytes += 61) {
      expect(JSON.stringify((await finishedAnswer({ bytes })).shown), `broken after byte ${bytes}`).toBe(whole);
    }
  });
});

it("a widget that rejoins during the next question's run shows each answer after its question", async () => {
  await using server = await startServer((question) =>
    question === "раз" ? saying("один ", "один") : [...saying("два ", "два"), { silence: true }],
  );
  const fetch = createVisitor(server);
  const online = Promise.withResolvers<void>();
  const breakingFetch = breaking(fetch, { events: 3 });
  let joins = 0;
  const stale = await openWidget(async (input, init) => {
    const { method, url } = new Request(input, init);
    if (method === "GET" && url.includes("run/stream")) {
      joins += 1;
      await online.promise;
    }
    return breakingFetch(input, init);
  });
  const threadId = stale.threadId();
  await stale.actions.sendText(threadId, "раз");
  await expect.poll(() => joins).toBe(1);
  const status = async () => (await stale.transport.listMessages(threadId)).at(-1)?.status;
  await expect.poll(status).toEqual({ type: "complete" });
  const other = await openWidget(fetch);
  await other.actions.sendText(threadId, "два");
  await other.until(() => other.lines().at(-1)?.includes("два два") === true);
  online.resolve();
  await stale.until(() => stale.lines().at(-1)?.includes("два два") === true);
  expect(stale.lines()).toEqual(other.lines());
  await other.actions.stop(threadId);
  await stale.idle();
  expect(stale.messages().map(comparable)).toEqual((await other.transport.listMessages(threadId)).map(comparable));
});

it("a widget that opens during a run shows the answer from its first event on", async () => {
  await using server = await startServer(() => [...saying("раз ", "два "), { silence: true }]);
  const fetch = createVisitor(server);
  const first = await openWidget(fetch);
  await first.actions.sendText(first.threadId(), "считай");
  await first.until(() => first.lines().some((line) => line.includes("два")));
  const second = await openWidget(fetch);
  await second.until(() => second.lines().some((line) => line.includes("два")));
  expect(second.lines()).toEqual(first.lines());
  await first.actions.stop(first.threadId());
  await second.idle();
  expect(second.lines()).toEqual(first.lines());
});
