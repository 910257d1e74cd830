import { textOf } from "@nitka/protocol/message";
import type { UserMessage } from "@nitka/protocol";
import { createOwnBackend } from "../../examples/own-backend/own-backend.mjs";
import type { Asked, Backend, Script } from "./backend.ts";

/** The backend of `examples/own-backend` with scripted answers. */
export function createPlainBackend(script: Script): Backend {
  const handle = createOwnBackend({
    config: {},
    now: () => script.now(),
    async *answer({ thread, question: sent, answerId, signal }) {
      const question = sent as UserMessage;
      const asked: Asked = { text: textOf(question), question, signal };
      if (script.rawAnswer) {
        yield* script.rawAnswer({ ...asked, answerId });
        return;
      }
      yield { type: "start", messageId: answerId };
      try {
        yield* script.answer(asked);
        if (script.title !== undefined && !thread.title) yield { type: "data-thread-title", title: script.title };
        yield { type: "finish" };
      } catch (error) {
        yield { type: "error", errorText: error instanceof Error ? error.message : String(error) };
      }
      yield "data: [DONE]\n\n";
    },
  });
  return { handle: (request, response) => void handle(request, response), close: async () => undefined };
}
