/** The server itself, on SQLite or Postgres, with a model in memory or one behind a real upstream. */
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { textOf } from "@nitka/protocol/message";
import { createChatServer } from "@nitka/server";
import type { Model } from "@nitka/server";
import { createOpenAiCompatibleModel } from "@nitka/server/openai-compatible";
import { openPostgresStorage } from "@nitka/server/postgres";
import { openSqliteStorage } from "@nitka/server/sqlite";
import { createConversations } from "../conversations.ts";
import { deltaText, pacedDeltas, readPace } from "./paced-deltas.ts";
import { answerCalls } from "./start-process.ts";
import { benchSecret, unlimited } from "./unlimited-settings.ts";

const database = process.env["BENCH_DATABASE"] ?? ":memory:";
const directUrl = process.env["BENCH_DIRECT_DATABASE"];
const upstream = process.env["BENCH_UPSTREAM"];
const retentionDays = process.env["BENCH_RETENTION_DAYS"];

const storage = await (database.startsWith("postgres:")
  ? openPostgresStorage({ url: database, ...(directUrl && { directUrl }), instanceId: crypto.randomUUID() })
  : openSqliteStorage({ path: database }));
const model = upstream
  ? createOpenAiCompatibleModel({ model: "paced", baseUrl: upstream, apiKey: "none" })
  : createPacedModel();
const chat = createChatServer({
  storage,
  log: false,
  projects: { default: { models: [model], limits: unlimited } },
  secret: benchSecret,
  maxRuns: 100_000,
  ...(retentionDays !== undefined && { retentionDays: Number(retentionDays) }),
});

/** The adapter's types also allow HTTP/2 bindings, which do not occur here. */
const answer = (request: Request, bindings: object) => chat.fetch(request, bindings);

answerCalls({
  ...createConversations(storage, chat),
  projects: () => storage.visitors.projects(),
  search: async (place: string, questions: readonly string[]) =>
    (await import("./search-questions.ts")).searchQuestions(place, questions),
  listen: () =>
    new Promise((resolve) => {
      const serverOptions = { keepAliveTimeout: 75_000 };
      serve({ fetch: answer, port: 0, hostname: "127.0.0.1", serverOptions }, ({ port }: AddressInfo) =>
        resolve(`http://127.0.0.1:${port}/`),
      );
    }),
});

/** A model in memory. The question contains the pace of the answer. */
function createPacedModel(): Model {
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
