// @vitest-environment node
import type { Message } from "@nitka/protocol";
import { expect, it } from "vitest";
import { HttpError } from "../transport/http-error.ts";
import { startScriptedChat } from "./scripted-chat.ts";

/** A chat with one answer. Each rating waits for the test, which resolves or rejects its gate. */
async function startRated(feedback?: Message["feedback"]) {
  const posts: { readonly body: unknown; readonly gate: PromiseWithResolvers<void> }[] = [];
  const answer: Message = { id: "a1", role: "assistant", content: "Да", parentId: "q1", status: { type: "complete" } };
  const chat = await startScriptedChat(
    {
      messages: { t1: [{ id: "q1", role: "user", content: "Да?" }, feedback ? { ...answer, feedback } : answer] },
      before(call, ...args) {
        if (call !== "sendFeedback") return undefined;
        const gate = Promise.withResolvers<void>();
        posts.push({ body: args[2], gate });
        return gate.promise;
      },
    },
    { features: { feedback: true } },
  );
  // This code loads with the first rating.
  await import("./feedback.ts");
  return {
    ...chat,
    posts,
    shown: () => chat.conversation().messages.at(-1)?.feedback,
    told: () => chat.events.flatMap((event) => (event.type === "feedback" ? event.detail.rating : [])),
  };
}

const refusal = new HttpError("HTTP 500", { status: 500, code: "failed" });

it("a rating is shown at once, and told to the host once the backend has confirmed it", async () => {
  const { actions, posts, shown, told, settle } = await startRated();
  const rated = actions.rate("t1", "a1", { rating: "down", reason: "Не то" });
  await settle();
  expect([shown(), told(), posts.map(({ body }) => body)]).toEqual([
    { rating: "down", reason: "Не то" },
    [],
    [{ rating: "down", reason: "Не то" }],
  ]);
  posts[0]?.gate.resolve();
  expect(await rated).toBeUndefined();
  expect(told()).toEqual(["down"]);
});

it("a rating that is refused is replaced by the one before, and the host gets the error", async () => {
  const { actions, posts, shown, told, settle, events } = await startRated({ rating: "up" });
  const rated = actions.rate("t1", "a1", { rating: null });
  await settle();
  expect(shown()).toBeUndefined();
  posts[0]?.gate.reject(refusal);
  expect(await rated).toEqual({ kind: "http", detail: "HTTP 500" });
  expect([shown(), told()]).toEqual([{ rating: "up" }, []]);
  expect(events).toContainEqual({ type: "error", detail: refusal });
});

it("ratings are sent in their order, and the last one counts", async () => {
  const { actions, posts, shown, settle } = await startRated();
  const first = actions.rate("t1", "a1", { rating: "up" });
  const second = actions.rate("t1", "a1", { rating: "down" });
  await settle();
  expect([posts.length, shown()]).toEqual([1, { rating: "down" }]);
  posts[0]?.gate.resolve();
  await first;
  await settle();
  expect(shown()).toEqual({ rating: "down" });
  posts[1]?.gate.reject(refusal);
  await second;
  // The rating that the backend has confirmed, not the one before both.
  expect(shown()).toEqual({ rating: "up" });
});
