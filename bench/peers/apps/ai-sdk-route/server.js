// ai-sdk.dev/docs/getting-started: its route for Node, on node:http, with a provider that speaks to any compatible server.
import { createServer } from "node:http";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { convertToModelMessages, pipeUIMessageStreamToResponse, streamText, toUIMessageStream } from "ai";
import { answerCalls } from "../../../server/servers/start-process.ts";

const provider = createOpenAICompatible({ name: "upstream", baseURL: process.env.BENCH_UPSTREAM, apiKey: "none" });
const model = provider("paced");

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  void answer(request, response).catch((error) => response.destroy(error));
});

async function answer(request, response) {
  const { messages } = JSON.parse(await bodyOf(request));
  const result = streamText({ model, messages: await convertToModelMessages(messages) });
  await pipeUIMessageStreamToResponse({ response, stream: toUIMessageStream({ stream: result.stream }) });
}

async function bodyOf(request) {
  request.setEncoding("utf8");
  let body = "";
  for await (const text of request) body += text;
  return body;
}

answerCalls({
  listen: () =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}/`));
    }),
});
