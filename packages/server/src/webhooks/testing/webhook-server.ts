/**
 * A server with a webhook for all events, and its visitors, until it is killed. Its arguments: a file for SQLite or an
 * address of Postgres, the webhook's address and secret, the names of its threads, and their number. It prints each
 * acknowledged step of a thread as a line of JSON.
 */
import type { Thread } from "@nitka/protocol";
import { createChatServer } from "../../create-chat-server.ts";
import { createScriptedModel, saying } from "../../model/testing/scripted-model.ts";
import { silentLog } from "../../services/log.ts";
import { openPostgresStorage } from "../../storage/postgres.ts";
import { openSqliteStorage } from "../../storage/sqlite.ts";

const [target = "", url = "", secret = "", name = "", count = "0"] = process.argv.slice(2);
const storage = await (target.startsWith("postgres:")
  ? openPostgresStorage({ url: target, instanceId: `${name}-${process.pid}`, connections: 4 })
  : openSqliteStorage({ path: target }));

const server = createChatServer({
  storage,
  projects: {
    default: {
      models: [createScriptedModel({ script: saying("При", "вет"), title: "Приветствие" })],
      webhooks: [{ url, secret }],
      limits: {
        requestsPerMinute: null,
        threadsPerMinute: null,
        messagesPerMinute: null,
        addressMessagesPerMinute: null,
      },
    },
  },
  secret: "a secret of sixteen letters",
  log: silentLog,
  clientAddress: () => "192.0.2.1",
  timings: { webhookMs: 300, webhookRetriesMs: [20, 50, 100], heartbeatMs: 200, staleMs: 1_000 },
});

const first = await server.fetch(new Request("http://nitka.test/api/projects/default/config"));
const cookie = first.headers.get("set-cookie")?.split(";", 1)[0] ?? "";

async function post(path: string, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json", cookie };
  const request = new Request(`http://nitka.test/api/debug/${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const response = await server.fetch(request);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

function acknowledge(threadId: string, step: string): void {
  process.stdout.write(`${JSON.stringify([threadId, step])}\n`);
}

async function converse(n: number): Promise<void> {
  const { threadId } = JSON.parse(await post("threads", {})) as Thread;
  acknowledge(threadId, "thread.created");
  const question = { id: `q${n}`, role: "user", content: "Привет" };
  const stream = await post(`threads/${threadId}/run/stream`, { messages: [question] });
  acknowledge(threadId, "run.ended");
  const answerId = /"messageId":"([^"]+)"/.exec(stream)?.[1] ?? "";
  for (const rating of ["up", "down", null]) {
    await post(`threads/${threadId}/messages/${answerId}/feedback`, { rating });
    acknowledge(threadId, `message.rated ${String(rating)}`);
  }
}

process.stdout.write(`${JSON.stringify(["", "serves"])}\n`);
let begun = 0;
const visitor = async () => {
  while (begun < Number(count)) await converse((begun += 1));
};
await Promise.all([visitor(), visitor(), visitor(), visitor()]);
process.stdout.write(`${JSON.stringify(["", "done"])}\n`);
// Keeps the process alive to send the remaining events.
setInterval(() => undefined, 60_000);
