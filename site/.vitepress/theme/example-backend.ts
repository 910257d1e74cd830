/** A backend inside the page: the seven operations of docs/protocol.md, for one conversation and what a reader adds to it. */

interface Thread {
  readonly threadId: string;
  title: string;
  readonly updatedAt: string;
  readonly messages: { readonly id: string; readonly role: string; readonly content: string }[];
}

/** No request reaches this address: the page answers. */
export const exampleUrl = "https://chat.invalid/";

const words = {
  en: {
    title: "Weather in Lisbon",
    question: "What is the weather in Lisbon?",
    reply: "This page answers by itself, without a model. Your words have stayed **in this page**.",
    answer: [
      "## Today in Lisbon\n\nSunny, with a light wind from the *Atlantic*.\n",
      "| hour | °C |\n| ---: | ---: |\n| 9 | 17 |\n| 15 | 24 |\n",
      "- [x] sunglasses\n- [ ] an umbrella\n\nThe site of the [observatory](https://example.com/) has `hours.json`.",
    ].join("\n"),
  },
  ru: {
    title: "Погода в Лиссабоне",
    question: "Какая погода в Лиссабоне?",
    reply: "Страница отвечает сама, без модели. Ваши слова остались **в этой странице**.",
    answer: [
      "## Сегодня в Лиссабоне\n\nСолнечно, слабый ветер с *Атлантики*.\n",
      "| час | °C |\n| ---: | ---: |\n| 9 | 17 |\n| 15 | 24 |\n",
      "- [x] тёмные очки\n- [ ] зонт\n\nНа сайте [обсерватории](https://example.com/) есть `hours.json`.",
    ].join("\n"),
  },
} as const;

/** Answers the requests to {@link exampleUrl} until the returned function is called. */
export function startExampleBackend(locale: keyof typeof words): () => void {
  const { title, question, answer, reply } = words[locale];
  const threads: Thread[] = [newThread(title, [question, answer])];
  const fetchFromNetwork = window.fetch;
  window.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(exampleUrl)) return fetchFromNetwork(request);
    const [, threadId, operation] = /\/threads\/([^/?]+)\/(.+)$/.exec(request.url) ?? [];
    const thread = threads.find((each) => each.threadId === threadId);
    if (request.url.endsWith("/config"))
      return Response.json({ apiBase: "./", attachments: false, feedbackUrl: false });
    if (thread === undefined) {
      if (request.method === "POST") threads.unshift(newThread("", []));
      return Response.json(request.method === "POST" ? threads[0] : threads);
    }
    if (operation === "messages") return Response.json(thread.messages);
    const body = (await request.json()) as { readonly title: string; readonly messages: Thread["messages"] };
    if (operation === "rename") thread.title = body.title;
    if (operation === "archive") threads.splice(threads.indexOf(thread), 1);
    return operation === "run/stream" ? answered(thread, body.messages, reply) : Response.json({});
  };
  return () => {
    window.fetch = fetchFromNetwork;
  };
}

function newThread(title: string, texts: readonly string[]): Thread {
  const messages = texts.map((content, n) => ({ id: `m${n}`, role: n % 2 === 0 ? "user" : "assistant", content }));
  return { threadId: `t${Math.random().toString(36).slice(2)}`, title, updatedAt: new Date().toISOString(), messages };
}

function answered(thread: Thread, questions: Thread["messages"], content: string): Response {
  const id = `a${thread.messages.length}`;
  // A question that is answered anew is there already.
  const asked = questions.filter((question) => !thread.messages.some((each) => each.id === question.id));
  thread.messages.push(...asked, { id, role: "assistant", content });
  thread.title ||= questions[0]?.content.slice(0, 40) ?? "";
  const events = [
    { type: "start", messageId: id },
    { type: "text-delta", delta: content },
    { type: "data-thread-title", title: thread.title },
    { type: "finish" },
  ];
  const frames = [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`);
  return new Response(frames.join(""), { headers: { "content-type": "text/event-stream" } });
}
