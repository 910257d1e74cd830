import { textOf } from "@nitka/protocol/message";
import type { Model } from "@nitka/server";
import { deltaText, pacedDeltas, readPace } from "./paced-deltas.ts";

/** A model in memory. The question contains the pace of the answer. */
export function createPacedModel(): Model {
  return {
    id: "paced",
    name: "Paced",
    title: () => Promise.resolve("Тема"),
    async *run({ history, signal }) {
      const question = history.at(-1);
      const pace = readPace(question ? textOf(question) : "");
      yield { type: "text-start", id: "t1" };
      const deltas = pacedDeltas(pace);
      signal.addEventListener("abort", deltas.stop, { once: true });
      for (let dueAt = await deltas.next(); dueAt !== undefined; dueAt = await deltas.next()) {
        yield { type: "text-delta", id: "t1", delta: deltaText(dueAt) };
      }
      yield { type: "text-end", id: "t1" };
      return {};
    },
  };
}
