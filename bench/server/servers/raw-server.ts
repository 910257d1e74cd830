/** The baseline: a node:http server that writes the same bytes at the same times and does nothing else. */
import { createServer } from "node:http";
import { listenLocally } from "../../../scripts/listen-locally.mjs";
import { deltaText, paceDeltas, readPace } from "./paced-deltas.ts";
import { answerCalls } from "./start-process.ts";

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (text: string) => {
    body += text;
  });
  request.on("end", () => {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" });
    response.flushHeaders();
    const send = (event: unknown) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    send({ type: "start", messageId: "a1" });
    send({ type: "text-start", id: "t1" });
    const stop = paceDeltas(
      readPace(body),
      (dueAt) => send({ type: "text-delta", id: "t1", delta: deltaText(dueAt) }),
      () => {
        send({ type: "text-end", id: "t1" });
        send({ type: "finish" });
        response.end("data: [DONE]\n\n");
      },
    );
    response.on("close", stop);
  });
});

answerCalls({ listen: async () => `http://127.0.0.1:${await listenLocally(server)}/` });
