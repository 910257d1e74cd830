/** A process with an OpenAI-compatible upstream. The last message contains the pace of the answer. */
import { createServer } from "node:http";
import { listenLocally } from "../../../scripts/listen-locally.mjs";
import { deltaText, paceDeltas, readPace } from "./paced-deltas.ts";
import { answerCalls } from "./start-process.ts";

interface Completion {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    const asked = (JSON.parse(body) as Completion).messages.findLast(({ role }) => role === "user");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (delta: unknown, reason: string | null = null) => {
      const choices = [{ index: 0, delta, finish_reason: reason }];
      response.write(`data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m", choices })}\n\n`);
    };
    send({ role: "assistant", content: "" });
    const stop = paceDeltas(
      readPace(asked?.content ?? ""),
      (dueAt) => send({ content: deltaText(dueAt) }),
      () => {
        send({}, "stop");
        response.end("data: [DONE]\n\n");
      },
    );
    response.on("close", stop);
  });
});

answerCalls({ listen: async () => `http://127.0.0.1:${await listenLocally(server)}/v1` });
