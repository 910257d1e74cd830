/**
 * An OpenAI-compatible service that needs a key. It calls the page's tool if it is asked for a mug, counts slowly if it is
 * asked to, and otherwise answers with the shop's words. `node model-service.ts 4000` serves it on that port.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const NUMBERS = 30;

async function answerAsModel(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (!/^Bearer \S/.test(request.headers.authorization ?? "")) return void response.writeHead(401).end("{}");
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const { messages, tools } = JSON.parse(Buffer.concat(pieces).toString("utf8")) as {
    readonly messages: readonly { readonly role: string; readonly content: unknown }[];
    readonly tools?: readonly unknown[];
  };
  const last = messages.at(-1);
  const asked = JSON.stringify(last?.content ?? "");
  const call = { id: "call-1", type: "function", function: { name: "basket_add", arguments: '{"sku":"mug"}' } };
  const isCall = last?.role === "user" && tools !== undefined && asked.includes("кружку");
  const send = (choice: object) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (last?.role === "user" && asked.includes("Посчитай")) {
    for (let number = 1; number <= NUMBERS; number += 1) {
      send({ delta: { role: "assistant", content: `${number} ` } });
      await sleep(100);
    }
  } else if (isCall) send({ delta: { role: "assistant", tool_calls: [{ index: 0, ...call }] } });
  else send({ delta: { role: "assistant", content: last?.role === "tool" ? `Готово: ${asked}` : "Ответ магазина." } });
  send({ delta: {}, finish_reason: isCall ? "tool_calls" : "stop" });
  response.end("data: [DONE]\n\n");
}

createServer((request, response) => void answerAsModel(request, response)).listen(Number(process.argv[2]), "127.0.0.1");
