// @ts-check
// A backend of one's own for the widget: the calls of the specification, in memory, with nothing but Node.
// Run it with `node own-backend.mjs`, or read it as the shape of the calls to write in any other language.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * @typedef {{ threadId: string, title: string, updatedAt: string }} Thread
 * @typedef {{ id: string, role: "user" | "assistant", content: unknown, attachments?: unknown, parentId: string | null }} Message
 * @typedef {{ thread: Thread, question: Message, answerId: string, signal: AbortSignal }} Run
 * @typedef {{ readonly type: string, readonly [field: string]: unknown }} Event
 * @typedef {import("node:http").IncomingMessage} Request
 * @typedef {import("node:http").ServerResponse} Response
 */

/**
 * The calls, as a listener for `node:http`. Other paths answer 404.
 *
 * @param {object} [options]
 * @param {(run: Run) => AsyncIterable<Event | string>} [options.answer] Gives the events of an answer. A string is
 *   written as it stands; what it throws cuts the connection.
 * @param {unknown} [options.config] What the config call answers; `undefined` makes it a 404.
 * @param {() => Date} [options.now]
 * @returns {(request: Request, response: Response) => Promise<void>}
 */
export function createOwnBackend({ answer = echo, config, now = () => new Date() } = {}) {
  /** @type {Map<string, Thread & { messages: Message[] }>} */
  const threads = new Map();

  return async function handle(request, response) {
    const pathname = pathOf(request);
    const call = `${request.method} ${pathname}`;
    try {
      if (/^GET \/api\/projects\/[^/]+\/config$/.test(call)) {
        return config === undefined
          ? problem(response, 404, "not_found", "There is no config.")
          : json(response, 200, config);
      }
      if (call === "GET /api/debug/threads") return json(response, 200, [...threads.values()].map(summary));
      if (call === "POST /api/debug/threads") {
        const thread = { threadId: crypto.randomUUID(), title: "", updatedAt: now().toISOString(), messages: [] };
        threads.set(thread.threadId, thread);
        return json(response, 200, summary(thread));
      }

      const [, threadId = "", rest] = /^\/api\/debug\/threads\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
      const thread = threads.get(decodeURIComponent(threadId));
      if (!thread) return problem(response, 404, "not_found", "There is no such thread.");

      switch (`${request.method} ${rest}`) {
        case "GET messages":
          return json(response, 200, thread.messages);
        case "POST rename":
          thread.title = (await body(request)).title;
          return json(response, 200, {});
        case "POST archive":
          threads.delete(thread.threadId);
          return json(response, 200, {});
        case "POST run/stream": {
          const [question] = (await body(request)).messages;
          if (!/^[\x21-\x7e]{1,128}$/.test(question.id)) {
            return problem(response, 422, "unprocessable", "messages.0.id must be 1 to 128 visible ASCII characters.");
          }
          thread.updatedAt = now().toISOString();
          return await stream(response, thread, storedQuestion(thread.messages, question));
        }
        default:
          return problem(response, 404, "not_found", "There is no such operation.");
      }
    } catch (error) {
      if (response.headersSent) response.destroy();
      else problem(response, 400, "bad_request", String(error));
    }
  };

  /**
   * Writes the answer's events one after another, and stores the answer's text.
   *
   * @param {Response} response
   * @param {Thread & { messages: Message[] }} thread
   * @param {Message} question
   */
  async function stream(response, thread, question) {
    const answerId = `a-${crypto.randomUUID().slice(0, 8)}`;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    let text = "";
    try {
      for await (const event of answer({ thread: summary(thread), question, answerId, signal: gone.signal })) {
        if (gone.signal.aborted) break;
        if (typeof event !== "string") {
          if (event.type === "text-delta") text += event["delta"];
          if (event.type === "data-thread-title") thread.title = String(event["title"]);
        }
        response.write(typeof event === "string" ? event : `data: ${JSON.stringify(event)}\n\n`);
      }
    } finally {
      if (text) thread.messages.push({ id: answerId, role: "assistant", content: text, parentId: question.id });
      thread.updatedAt = now().toISOString();
    }
    response.end();
  }
}

/**
 * Stores the question once: to regenerate its answer the widget sends it again.
 *
 * @param {Message[]} messages
 * @param {Omit<Message, "parentId"> & { parentId?: string | null }} sent
 * @returns {Message}
 */
function storedQuestion(messages, { id, role, content, attachments, parentId = messages.at(-1)?.id ?? null }) {
  const known = messages.find((message) => message.id === id);
  if (known) return known;
  const question = { id, role, content, ...(attachments ? { attachments } : {}), parentId };
  messages.push(question);
  return question;
}

/**
 * An answer without a model. A real backend asks one here.
 *
 * @param {Run} run
 * @returns {AsyncGenerator<Event | string>}
 */
async function* echo({ thread, question, answerId }) {
  yield { type: "start", messageId: answerId };
  const words = `Вы написали: **${textOf(question.content)}**. Здесь отвечает ваш собственный сервер.`.split(/(?<= )/);
  for (const delta of words) {
    yield { type: "text-delta", delta };
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  if (!thread.title) yield { type: "data-thread-title", title: textOf(question.content).slice(0, 40) };
  yield { type: "finish" };
  yield "data: [DONE]\n\n";
}

/** @param {unknown} content A string, or a list of typed parts. */
function textOf(content) {
  if (!Array.isArray(content)) return String(content);
  return content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** @param {Thread} thread */
function summary({ threadId, title, updatedAt }) {
  return { threadId, title, updatedAt };
}

/**
 * The path as it was sent, because `new URL` throws on some paths, such as `//`.
 *
 * @param {Request} request
 */
function pathOf(request) {
  return (request.url ?? "/").split("?", 1)[0] ?? "/";
}

/** @param {Request} request */
async function body(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {unknown} value
 */
function json(response, status, value) {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}

/**
 * @param {Response} response
 * @param {number} status
 * @param {string} code for programs
 * @param {string} message for people
 */
function problem(response, status, code, message) {
  json(response, status, { error: { code, message } });
}

/**
 * A file of the widget's folder, which the page loads from /widget/.
 *
 * @param {Response} response
 * @param {URL} folder
 * @param {string} name
 */
async function widgetFile(response, folder, name) {
  const types = { ".js": "text/javascript", ".css": "text/css", ".map": "application/json" };
  try {
    // No segment is empty or begins with a dot, because both lead out of the folder.
    if (!/^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/.test(name)) throw new Error("not a file of the widget");
    const bytes = await readFile(new URL(name, folder));
    response.writeHead(200, { "content-type": types[/** @type {".js"} */ (extname(name))] ?? "text/plain" });
    response.end(bytes);
  } catch {
    problem(response, 404, "not_found", "There is no such file.");
  }
}

const page = `<!doctype html>
<html lang="ru">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width" />
  <title>Свой сервер</title>
  <div id="chat" style="position: fixed; inset: 0"></div>
  <script src="/widget/nitka.js"></script>
  <script>
    Nitka.init({ target: "#chat" });
  </script>
</html>
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL("../../packages/widget/dist/", import.meta.url);
  const handle = createOwnBackend({ config: { apiBase: "./" } });
  const server = createServer((request, response) => {
    const pathname = pathOf(request);
    if (pathname.startsWith("/widget/")) void widgetFile(response, folder, pathname.slice("/widget/".length));
    else if (pathname === "/" || pathname.startsWith("/c/")) response.setHeader("content-type", "text/html").end(page);
    else void handle(request, response);
  });
  server.listen(Number(process.env["PORT"] ?? 3001), "localhost", () => {
    const address = server.address();
    process.stdout.write(`http://localhost:${typeof address === "object" ? address?.port : address}/\n`);
  });
}
