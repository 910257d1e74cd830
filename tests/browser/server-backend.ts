import { getRequestListener } from "@hono/node-server";
import { textOf } from "@nitka/protocol/message";
import { parseStreamEvent } from "@nitka/protocol/stream-event";
import type { UserMessage } from "@nitka/protocol";
import { createChatServer, ModelError } from "@nitka/server";
import { openSqliteStorage } from "@nitka/server/sqlite";
import type { Model } from "@nitka/server";
import type { Answer, Backend, Script, WireEvent } from "./backend.ts";

/** The secret of the project `signed`, whose host identifies its visitors by tokens. */
export const hostSecret = "a secret of the host and the server";

/** The consent that visitors of the project `consenting` give. */
export const consent = { text: "Согласен на обработку персональных данных.", url: "/privacy", version: "2026-11" };

/** Our own server with a database in memory and a scripted model. */
export async function createServerBackend(script: Script): Promise<Backend> {
  const storage = await openSqliteStorage({ path: ":memory:" });
  const project = {
    models: [createModel(script)],
    limits: {
      messagesPerMinute: null,
      addressMessagesPerMinute: null,
      threadsPerMinute: null,
      requestsPerMinute: null,
      uploadsPerMinute: null,
    },
  };
  const server = createChatServer({
    storage,
    log: false,
    secret: "a secret of these tests alone",
    clock: () => script.now(),
    projects: {
      default: project,
      signed: { ...project, secret: hostSecret },
      consenting: { ...project, config: { consent } },
    },
    timings: { graceMs: 0, titleBeforeFinishMs: 200, titleMs: 200 },
  });
  const handle = getRequestListener((request, bindings) => server.fetch(request, bindings), {
    overrideGlobalObjects: false,
  });
  return {
    handle: (request, response) => void handle(request, response),
    async close() {
      await server.close();
      await storage.close();
    },
  };
}

function createModel(script: Script): Model {
  return {
    id: "scripted",
    name: "Scripted",
    async *run({ history, signal, visitor }) {
      const question = history.at(-1) as UserMessage;
      try {
        for await (const event of until(signal, script.answer({ text: textOf(question), question, signal, visitor }))) {
          const parsed = parseStreamEvent(JSON.stringify(event));
          if (parsed) yield parsed;
        }
      } catch (error) {
        if (error instanceof ModelError) throw error;
        throw new ModelError("failed", error instanceof Error ? error.message : String(error), { cause: error });
      }
      return {};
    },
    title: async () => script.title,
  };
}

/** The events until the run is cancelled, even while the script waits for a gate. */
async function* until(signal: AbortSignal, events: ReturnType<Answer>): AsyncGenerator<WireEvent, void, undefined> {
  const iterator = Symbol.asyncIterator in events ? events[Symbol.asyncIterator]() : events[Symbol.iterator]();
  const stopped = Promise.withResolvers<"stopped">();
  signal.addEventListener("abort", () => stopped.resolve("stopped"), { once: true });
  while (!signal.aborted) {
    const next = await Promise.race([iterator.next(), stopped.promise]);
    if (next === "stopped" || next.done) return;
    yield next.value;
  }
}
