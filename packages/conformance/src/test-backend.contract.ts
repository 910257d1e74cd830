/** Our server behind HTTP, with a model that waits when a check needs it to, and with injected faults. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { StreamEvent } from "@nitka/protocol";
import { textOf } from "@nitka/protocol/message";
import { createChatServer } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { Model } from "@nitka/server";
import { questions } from "./session.ts";

/** A layer between the network and the server, which may change requests and responses. */
export type Fault = (request: Request, respond: (request: Request) => Promise<Response>) => Promise<Response>;

export interface TestBackend {
  readonly proxyUrl: URL;
  readonly close: () => Promise<void>;
}

/** @param fault default: our server unchanged */
export async function startTestBackend(fault: Fault = (request, respond) => respond(request)): Promise<TestBackend> {
  const storage = await openSqliteStorage({ path: ":memory:" });
  // The long answer waits here for a reader that rejoins, or for a cancel.
  const goesOn = new EventTarget();
  const server = createChatServer({
    storage,
    log: false,
    secret: "a secret of these tests alone",
    projects: {
      default: {
        models: [createModel(goesOn)],
        allowedOrigins: ["https://shop.example"],
        limits: {
          messagesPerMinute: null,
          addressMessagesPerMinute: null,
          threadsPerMinute: null,
          requestsPerMinute: null,
        },
      },
    },
    timings: { graceMs: 0 },
  });
  const respond = async (request: Request): Promise<Response> => {
    const { method, url } = request;
    const response = await fault(request, (changed) => server.fetch(changed));
    if (url.endsWith("/run/cancel") || (method === "GET" && url.endsWith("/run/stream")))
      goesOn.dispatchEvent(new Event("on"));
    return response;
  };
  const listen = getRequestListener(respond, { overrideGlobalObjects: false });
  const http = createServer((request, response) => void listen(request, response));
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return {
    proxyUrl: new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`),
    close: async () => {
      http.closeAllConnections();
      http.close();
      await server.close();
      await storage.close();
    },
  };
}

function createModel(goesOn: EventTarget): Model {
  return {
    id: "patient",
    name: "Patient",
    title: async () => "О чайниках",
    async *run({ history, signal, visitor }): AsyncGenerator<StreamEvent, object> {
      const question = history.at(-1);
      if (question && textOf(question) === questions.tool) {
        const call = { toolCallId: "c1", toolName: visitor.tools[0]?.name ?? "", input: { sku: "blue-mug" } };
        yield { type: "tool-input-available", ...call };
        const { toolCallId } = call;
        const outcome = yield* visitor.runOnPage(call);
        if (outcome.type === "output") yield { type: "tool-output-available", toolCallId, output: outcome.output };
      }
      yield { type: "text-start", id: "t" };
      for (const delta of ["Чайник ", "и ", "чашка. "]) yield { type: "text-delta", id: "t", delta };
      if (question && textOf(question) === questions.long) {
        const on = new Promise((resolve) => {
          goesOn.addEventListener("on", resolve, { once: true });
          signal.addEventListener("abort", resolve, { once: true });
        });
        await on;
        for (const delta of ["И ", "блюдце."]) yield { type: "text-delta", id: "t", delta };
      }
      yield { type: "text-end", id: "t" };
      return {};
    },
  };
}
