/** The contract of `Model` as tests. Every implementation runs them. */
import type { Message, Part, StreamEvent } from "@nitka/protocol";
import { applyEvent, endAnswer } from "@nitka/protocol/apply-event";
import { beginAnswer } from "@nitka/protocol/begin-answer";
import { afterEach, describe, expect, it } from "vitest";
import { ModelError } from "./model.ts";
import { absentVisitor } from "./testing/absent-visitor.ts";
import type { Model, ModelEnd, ModelErrorCode, ModelRequest } from "./model.ts";

/** A model, and a question that makes it behave as a test requires. */
export interface Staged {
  readonly model: Model;
  readonly question: string;
  /** Resolves when the model has closed its connection to the upstream. */
  readonly released?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

/** How to make the model under test show each behaviour. Optional ones are left out when the model cannot show them. */
export interface ModelStage {
  /** Answers in several deltas. */
  readonly says: () => Promise<Staged>;
  /** Calls a tool, and writes text after its result. */
  readonly callsTool: () => Promise<Staged>;
  /** Writes text, and continues for at least a second. */
  readonly goesOn: () => Promise<Staged>;
  readonly fails: () => Promise<Staged & { readonly code: ModelErrorCode }>;
  /** Sends nothing at all. A model without an upstream leaves it out. */
  readonly keepsSilent?: () => Promise<Staged>;
}

/** The outcome of a run. */
export interface Ran {
  readonly events: readonly StreamEvent[];
  readonly usage?: ModelEnd;
  readonly error?: unknown;
}

export function modelContract(name: string, stage: ModelStage): void {
  describe(`${name} as a model`, () => {
    const staged: Staged[] = [];
    const set = async <T extends Staged>(scene: Promise<T>): Promise<T> => {
      const made = await scene;
      staged.push(made);
      return made;
    };
    afterEach(async () => {
      for (const { close } of staged.splice(0)) await close?.();
    });

    it("opens and closes each block once, under an id of its own", async () => {
      const { events, error } = await ask(await set(stage.says()));
      expect(error).toBeUndefined();
      expect(grammarProblems(events)).toEqual([]);
      expect(textOfAnswer(events)).not.toBe("");
      expect(events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(1);
    });

    it("yields neither the start nor the end of the answer", async () => {
      const { events } = await ask(await set(stage.says()));
      const types = new Set(events.map(({ type }) => type));
      expect(["start", "finish", "error", "abort"].filter((type) => types.has(type as StreamEvent["type"]))).toEqual(
        [],
      );
    });

    it("yields a tool call before its result, and text after it", async () => {
      const { events, error } = await ask(await set(stage.callsTool()));
      expect(error).toBeUndefined();
      expect(grammarProblems(events)).toEqual([]);
      const called = events.findIndex(({ type }) => type === "tool-input-available");
      const returned = events.findIndex(({ type }) => type === "tool-output-available");
      expect(called).toBeGreaterThanOrEqual(0);
      expect(returned).toBeGreaterThan(called);
      expect(events.slice(returned).some(({ type }) => type === "text-delta")).toBe(true);
      expect(partsOfAnswer(events).filter(({ type }) => type === "tool-call")).toMatchObject([{ type: "tool-call" }]);
    });

    it("keeps two parallel runs apart", async () => {
      const scene = await set(stage.says());
      const [first, second] = await Promise.all([ask(scene), ask(scene)]);
      for (const { events } of [first, second]) {
        expect(grammarProblems(events)).toEqual([]);
        expect(textOfAnswer(events)).not.toBe("");
      }
    });

    it("ends without an error and closes its upstream connection when it is aborted", async () => {
      const scene = await set(stage.goesOn());
      const stop = new AbortController();
      const run = ask(scene, { signal: stop.signal }, (event) => {
        if (event.type === "text-delta") stop.abort();
      });
      expect((await run).error).toBeUndefined();
      await scene.released?.();
    });

    it("closes its upstream connection when its reader stops early", async () => {
      const scene = await set(stage.goesOn());
      let received = "";
      for await (const event of scene.model.run(requestFor(scene.question))) {
        if (event.type === "text-delta") received += event.delta;
        if (received !== "") break;
      }
      expect(received).not.toBe("");
      await scene.released?.();
    });

    it("yields no text when it is aborted before it begins", async () => {
      const { events, error } = await ask(await set(stage.says()), { signal: AbortSignal.abort() });
      expect(error).toBeUndefined();
      expect(textOfAnswer(events)).toBe("");
    });

    it("fails with a code and a sentence", async () => {
      const scene = await set(stage.fails());
      const { error } = await ask(scene);
      expect(error).toBeInstanceOf(ModelError);
      expect(error).toMatchObject({ code: scene.code, message: expect.stringMatching(/^\p{Lu}.*[.?!]$/u) as unknown });
    });

    it.runIf(stage.keepsSilent)("fails as silent when its upstream sends nothing", async () => {
      const { error } = await ask(await set((stage.keepsSilent ?? unstaged)()), { idleMs: 60 });
      expect(error).toMatchObject({ name: "ModelError", code: "silent" });
    });
  });
}

/** A request with one question. */
function requestFor(question: string | readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    history: typeof question === "string" ? [{ id: "q1", role: "user", content: question }] : question,
    signal: new AbortController().signal,
    contextChars: null,
    readAttachment: () => Promise.reject(new Error("The history has no attachments")),
    idleMs: 20_000,
    firstByteMs: null,
    toolMs: null,
    visitor: absentVisitor,
    ...more,
  };
}

/** Runs a model to its end, and collects its events, usage or error. */
export async function ask(
  { model, question }: Pick<Staged, "model" | "question">,
  more: Partial<ModelRequest> = {},
  onEvent: (event: StreamEvent) => void = () => undefined,
): Promise<Ran> {
  const events: StreamEvent[] = [];
  try {
    const run = model.run(requestFor(question, more));
    for (;;) {
      const { done, value } = await run.next();
      if (done) return { events, usage: value };
      events.push(value);
      onEvent(value);
    }
  } catch (error) {
    return { events, error };
  }
}

export function partsOfAnswer(events: readonly StreamEvent[]): readonly Part[] {
  const { content } = endAnswer(events.reduce(applyEvent, beginAnswer("a1")), { type: "complete" }).message;
  return typeof content === "string" ? [] : content;
}

export function textOfAnswer(events: readonly StreamEvent[]): string {
  return partsOfAnswer(events)
    .flatMap((part) => (part.type === "text" ? [part.text] : []))
    .join("");
}

/** The mistakes in the order and the ids of the events, as sentences. */
function grammarProblems(events: readonly StreamEvent[]): readonly string[] {
  const open = new Set<string>();
  const used = new Set<string>();
  const calls = new Set<string>();
  return events.flatMap((event) => {
    if ("id" in event && event.id !== undefined) {
      const [kind, step] = [event.type.split("-", 1)[0] ?? "", event.type];
      const key = `${kind} ${event.id}`;
      if (step.endsWith("-start")) {
        if (used.has(event.id)) return [`the id ${event.id} is used twice`];
        used.add(event.id);
        open.add(key);
      } else if (!open.has(key)) return [`${step} of ${event.id}, which is not open`];
      if (step.endsWith("-end")) open.delete(key);
    }
    if ("toolCallId" in event) {
      if (event.type === "tool-input-start" || event.type === "tool-input-available") calls.add(event.toolCallId);
      else if (!calls.has(event.toolCallId)) return [`${event.type} of ${event.toolCallId}, which was not called`];
    }
    return [];
  });
}

function unstaged(): never {
  throw new Error("The test runs only where its scene is staged");
}
