// @ts-check
/** Serves the page, the widget's files and the answers on one port: `node examples/own-views/server.mjs`. */
import { createReadStream } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { createOwnBackend } from "../own-backend/own-backend.mjs";
import { answerTo } from "./answers.mjs";

const here = new URL("./", import.meta.url);
const widget = new URL("../../packages/widget/dist/", import.meta.url);
const types = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8" };

const suggestions = ["Где мой заказ?", "Как менялась цена?", "Как всё устроено?"];
const backend = createOwnBackend({
  config: { suggestions: suggestions.map((title) => ({ title, prompt: title })) },
  async *answer({ question, answerId }) {
    yield { type: "start", messageId: answerId };
    yield* answerTo(JSON.stringify(question.content));
    yield { type: "finish" };
  },
});

createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  if (pathname.startsWith("/api/")) {
    void backend(request, response);
    return;
  }
  const [, folder, name = ""] = /^\/(widget\/)?([\w-]+\.(?:js|css))$/.exec(pathname) ?? [];
  const file = name === "" ? new URL("index.html", here) : new URL(name, folder ? widget : here);
  response.setHeader("content-type", types[/** @type {".js"} */ (extname(file.pathname))]);
  createReadStream(file)
    .on("error", () => response.writeHead(404).end())
    .pipe(response);
}).listen(8080, "localhost", () => process.stdout.write("http://localhost:8080/\n"));
