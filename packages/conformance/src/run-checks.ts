import type { Message } from "@nitka/protocol";
import { applyEvent } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { textOf } from "@nitka/protocol/message";
import { randomId } from "@nitka/protocol/random-id";
import { routes } from "@nitka/protocol/routes";
import type { Section } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import { readRun } from "./run-reader.ts";
import type { RunReader } from "./run-reader.ts";
import type { Session } from "./session.ts";
import { questions } from "./session.ts";

/** Whether some words of the answer have arrived. */
function hasText(reader: RunReader): boolean {
  return reader.events().filter(({ type }) => type === "text-delta").length >= 2;
}

/** A run that is stopped in the middle: the response to the cancel, the stream and the answer. */
function cancelled(session: Session) {
  return session.once("cancelled", async () => {
    const { threadId } = await session.newThread();
    const run = await (await session.ask(threadId, questions.long)).until(hasText);
    const cancel = await session.visitor.send("POST", session.url(routes.cancel(threadId)), { json: {} });
    await run.rest();
    const [, answer] = await session.messages(threadId);
    return { threadId, run, cancel, answer };
  });
}

/** A run whose reader disconnects after some events and rejoins with the last id. */
function rejoined(session: Session) {
  return session.once("rejoined", async () => {
    const { threadId } = await session.newThread();
    const question = { id: "conformance-1", text: questions.long };
    const first = await (await session.ask(threadId, question.text, { id: question.id, withIds: true })).until(hasText);
    const wasDone = first.isDone();
    first.drop();
    const lastId = first.frames().at(-1)?.id;
    const url = session.url(routes.run(threadId));
    const headers = { ...(lastId !== undefined && { "last-event-id": lastId }), accept: "text/event-stream" };
    const again = await session.visitor.open("GET", url, { headers });
    const second = again.response.status === 204 ? undefined : await (await readRun(again)).rest();
    const messages = await session.messages(threadId);
    const { type: status = "running" } = messages[1]?.status ?? {};
    // A fast answer ends while the reader is away.
    const isOver = wasDone || (second === undefined && status !== "running");
    return { threadId, question, first, isOver, second, messages };
  });
}

export const runChecks: Section = {
  name: "Runs",
  checks: [
    {
      title: "cancel ends the stream before the answer is whole",
      rule: "stops the run and keeps the partial answer: `{ cancelled }`",
      feature: "cancel",
      run: async (session) => {
        const { run, cancel, answer } = await cancelled(session);
        demand(
          cancel.status >= 200 && cancel.status < 300,
          cancel.request,
          "a successful response",
          String(cancel.status),
        );
        const isLate = /"cancelled":\s*false/.test(cancel.text);
        if (isLate) throw new NotCheckable("the answer had ended before it could be cancelled");
        const finish = run.events().find(({ type }) => type === "finish");
        demand(finish === undefined, cancel.request, "the run to stop", "the stream continues to its finish");
        demand(
          answer?.status?.type === "incomplete",
          cancel.request,
          "an incomplete answer",
          JSON.stringify(answer?.status),
        );
      },
    },
    {
      title: "a cancelled answer is kept as far as it was streamed",
      rule: "The `status` of an incomplete answer has a `reason`: `cancelled` (by the visitor)",
      feature: "cancel",
      run: async (session) => {
        const { run, answer } = await cancelled(session);
        if (answer?.status?.type !== "incomplete") throw new NotCheckable("the answer was not cancelled");
        demand(answer.status.reason === "cancelled", run.request, "the reason cancelled", answer.status.reason);
        const [streamed, kept] = [textOf(run.answer()), textOf(answer)];
        demand(
          kept === streamed,
          run.request,
          `«${excerpt(streamed.slice(-100))}» at the end`,
          `«${excerpt(kept.slice(-100))}»`,
        );
        demand(run.isDone(), run.request, "data: [DONE] after the cancel", "a stream that only closes");
      },
    },
    {
      title: "with ?cursor=1 each event has an id of its own",
      rule: "`POST …/run/stream?cursor=1` adds ids to the events",
      feature: "resume",
      run: async (session) => {
        const { first } = await rejoined(session);
        const ids = first.frames().map(({ id }) => id);
        demand(!ids.includes(undefined), first.request, "an id: line for each event", "events without one");
        demand(new Set(ids).size === ids.length, first.request, "each id once", "an id of two events");
      },
    },
    {
      title: "a reader that rejoins gets each later event once",
      rule: "A reader that rejoins with an id gets the later events of that run, each once.",
      feature: "resume",
      run: async (session) => {
        const { first, isOver, second, messages } = await rejoined(session);
        if (isOver) throw new NotCheckable("the answer had ended before the reader could rejoin");
        demand(second !== undefined, first.request, "the rest of the run", "204, although the run continues");
        const known = new Set(first.frames().map(({ id }) => id));
        const twice = second.frames().find(({ id }) => known.has(id));
        demand(twice === undefined, second.request, "only later events", `${twice?.id} again`);
        const whole = foldText([first, second]);
        const kept = textOf(messages[1] ?? { content: "" });
        demand(whole === kept, second.request, `«${excerpt(kept)}»`, `both pieces together: «${excerpt(whole)}»`);
      },
    },
    {
      title: "when the run is over, rejoining responds with 204, even with an invalid id",
      rule: "204 when no run is in progress.",
      feature: "resume",
      run: async (session) => {
        const { threadId } = await rejoined(session);
        for (const id of [undefined, "conformance:no-such-id"]) {
          const headers = id === undefined ? {} : { "last-event-id": id };
          const { request, status } = await session.visitor.send("GET", session.url(routes.run(threadId)), { headers });
          demand(status === 204, `${request}${id ? ` with Last-Event-ID: ${id}` : ""}`, "204", String(status));
        }
      },
    },
    {
      title: "a question that is posted again is not asked again",
      rule: "The model is never asked twice for one id, unless the trigger is `regenerate-message`.",
      feature: "resume",
      run: async (session) => {
        const { threadId, question, messages } = await rejoined(session);
        const replay = await (await session.ask(threadId, question.text, { id: question.id })).rest();
        const [before, after] = [textOf(messages[1] ?? { content: "" }), textOf(replay.answer())];
        demand(after === before, replay.request, `the stored answer «${excerpt(before)}»`, `«${excerpt(after)}»`);
        const { length } = await session.messages(threadId);
        demand(length === messages.length, replay.request, `${messages.length} messages`, `${length} messages`);
      },
    },
    {
      title: "no stream is silent for longer than the widget waits",
      rule: "A backend with `resume` sends something in an open stream at least every 45 s, such as a comment or `data-ping`",
      feature: "resume",
      run: async ({ runs, silenceMs }) => {
        const longest = runs.toSorted((one, other) => other.silence() - one.silence())[0];
        if (!longest) throw new NotCheckable("no stream was read");
        const silence = longest.silence();
        const got = `nothing for ${(silence / 1000).toFixed(1)} s`;
        demand(silence <= silenceMs, longest.request, `something at least every ${silenceMs / 1000} s`, got);
      },
    },
    {
      title: "another question while a run is in progress is refused",
      rule: "Another question while a run is in progress in the thread: 409 `run_in_progress`.",
      feature: "cancel",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const run = await (await session.ask(threadId, questions.long)).until(hasText);
        const json = { messages: [{ id: "conformance-2", role: "user", content: questions.second }] };
        const second = await session.visitor.open("POST", session.url(routes.run(threadId)), { json });
        second.drop();
        await session.visitor.send("POST", session.url(routes.cancel(threadId)), { json: {} });
        await run.rest();
        if (run.events().some(({ type }) => type === "finish")) throw new NotCheckable("the answer had ended before");
        demand(second.response.status === 409, second.request, "409", String(second.response.status));
      },
    },
    {
      title: "regenerating twice keeps the question once, and the list ends with the newest answer",
      rule: "The question is stored once. Its answers are siblings; where a list has no `parentId`, the newest one replaces the others.",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const question = { id: randomId(), parentId: null };
        const trigger = { body: { trigger: "regenerate-message" } };
        await (await session.ask(threadId, questions.short, question)).rest();
        await (await session.ask(threadId, questions.short, { ...question, ...trigger })).rest();
        const before = await session.messages(threadId);
        const run = await (await session.ask(threadId, questions.short, { ...question, ...trigger })).rest();
        const after = await session.messages(threadId);
        const asked = after.filter(({ role }) => role === "user").length;
        demand(asked === 1, run.request, "the question once", `${asked} times`);
        const hasParents = after.every(({ parentId }) => parentId !== undefined);
        const answers = after.filter(({ parentId }) => !hasParents || parentId === question.id).length;
        const expected = hasParents ? "three answers with the question as their parent" : "one answer";
        const count = hasParents ? answers : answers - 1;
        demand(count === (hasParents ? 3 : 1), run.request, expected, String(count));
        demand(isNew(after.at(-1), before), run.request, "the new answer at the end", String(after.at(-1)?.id));
      },
    },
    {
      title: "a question with an invalid id is refused",
      rule: "Ids of messages are 1 to 128 visible ASCII characters.",
      level: "advice",
      run: async (session) => {
        const { threadId } = await session.newThread();
        for (const id of ["", "я", "a b", "x".repeat(129)]) {
          const json = { messages: [{ id, role: "user", content: "?" }] };
          const { request, response, drop } = await session.visitor.open("POST", session.url(routes.run(threadId)), {
            json,
          });
          drop();
          demand(response.status >= 400 && response.status < 500, request, "422", String(response.status));
        }
      },
    },
    {
      title: "an unknown parent is refused",
      rule: "An unknown `parentId`, model or trigger, another visitor's attachment, or a role other than `user`: 422.",
      feature: "branch",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const good = { id: "conformance-3", role: "user", content: "?" };
        for (const json of [
          { messages: [{ ...good, parentId: "conformance-no-such-message" }] },
          { messages: [good], model: "conformance-no-such-model" },
          { messages: [good], trigger: "conformance-no-such-trigger" },
          { messages: [{ ...good, role: "assistant" }] },
        ]) {
          const refused = await session.visitor.send("POST", session.url(routes.run(threadId)), { json });
          demand(refused.status === 422, refused.request, "422", `${refused.status}: ${excerpt(refused.text)}`);
        }
      },
    },
    {
      title: "the branch that a visitor opens is the branch that the list ends with",
      rule: "stores which branch the visitor has open",
      feature: "branch",
      run: async (session) => {
        const { threadId } = await session.newThread();
        await (await session.ask(threadId, questions.short, { id: "conformance-4", parentId: null })).rest();
        await (await session.ask(threadId, questions.second, { id: "conformance-5", parentId: null })).rest();
        const [, first] = await session.messages(threadId);
        const url = session.url(routes.branch(threadId));
        const opened = await session.visitor.send("POST", url, { json: { messageId: first?.id } });
        demand(
          opened.status < 300,
          opened.request,
          "a successful response",
          `${opened.status}: ${excerpt(opened.text)}`,
        );
        const last = (await session.messages(threadId)).at(-1);
        demand(
          last?.id === first?.id,
          opened.request,
          `a list that ends with ${first?.id}`,
          `one that ends with ${last?.id}`,
        );
      },
    },
  ],
};

function isNew(message: Message | undefined, before: readonly Message[]): boolean {
  return message !== undefined && before.every(({ id }) => id !== message.id);
}

/** The text of an answer whose events arrived in several streams. */
function foldText(readers: readonly RunReader[]): string {
  return textOf(readers.flatMap((reader) => reader.events()).reduce(applyEvent, beginAnswer("")).message);
}
