import { routes } from "@nitka/protocol/routes";
import { z } from "zod";
import type { Section } from "./check.ts";
import { demand, excerpt, jsonOf, NotCheckable } from "./nonconformance.ts";
import { parsed } from "./session.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";
import { errorForm, threadForm } from "./wire-forms.ts";

const TITLE = "Проверка «🧵» & <b>titles</b>";
const UNKNOWN_THREAD = "conformance-no-such-thread";
const question = { id: "conformance-question", role: "user", content: "?" };

/** Every operation on a thread that does not exist. */
async function onUnknownThread(session: Session): Promise<readonly Exchange[]> {
  const { visitor } = session;
  const { cancel, feedback } = session.config.features ?? {};
  const post = (path: string, json: object) => visitor.send("POST", session.url(path), { json });
  return [
    await session.history(UNKNOWN_THREAD),
    await post(routes.rename(UNKNOWN_THREAD), { title: "?" }),
    await post(routes.archive(UNKNOWN_THREAD), {}),
    await post(routes.run(UNKNOWN_THREAD), { messages: [question] }),
    ...(cancel === true ? [await post(routes.cancel(UNKNOWN_THREAD), {})] : []),
    ...(feedback === true ? [await post(routes.feedback(UNKNOWN_THREAD, "m"), { rating: "up" })] : []),
  ];
}

export const threadChecks: Section = {
  name: "Threads",
  checks: [
    {
      title: "the list has threads with an id and a time",
      rule: "`[Thread]`",
      run: async (session) => {
        parsed(await session.visitor.send("GET", session.url(routes.threads())), z.array(threadForm));
      },
    },
    {
      title: "a new thread is in the list, and its history is empty",
      rule: "the new `Thread`",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const listed = await session.listed(threadId);
        demand(listed !== undefined, "GET api/debug/threads", `the new thread ${threadId}`, "a list without it");
        const { request, text } = await session.history(threadId);
        demand(text.trim() === "[]", request, "[]", excerpt(text));
      },
    },
    {
      title: "a thread keeps the title that it is given, character by character",
      rule: "`POST api/debug/threads/{id}/rename`",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const renamed = await session.visitor.send("POST", session.url(routes.rename(threadId)), {
          json: { title: TITLE },
        });
        demand(isOk(renamed), renamed.request, "a successful response", statusOf(renamed));
        const title = (await session.listed(threadId))?.title;
        demand(title === TITLE, renamed.request, `the title ${TITLE} in the list`, String(title));
      },
    },
    {
      title: "an archived thread is gone from the list, and with it its history",
      rule: "`POST api/debug/threads/{id}/archive`",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const archived = await session.visitor.send("POST", session.url(routes.archive(threadId)), { json: {} });
        demand(isOk(archived), archived.request, "a successful response", statusOf(archived));
        const listed = await session.listed(threadId);
        demand(listed === undefined, archived.request, "a list without the thread", `a list with ${threadId}`);
        const history = await session.history(threadId);
        demand(history.status === 404, history.request, "404", statusOf(history));
      },
    },
    {
      title: "every operation on an unknown thread responds with 404",
      rule: "`not_found`: does not exist, or belongs to another visitor",
      run: async (session) => {
        for (const exchange of await onUnknownThread(session)) {
          demand(exchange.status === 404, exchange.request, "404", statusOf(exchange));
        }
      },
    },
    {
      title: "another visitor finds neither the thread nor its history",
      rule: "To everyone but its owner, a thread does not exist.",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const other = await session.newVisitor();
        if (!session.visitor.isKnown() || !other.isKnown()) {
          throw new NotCheckable("the backend sets no cookie and gives no visitor token: all visitors are one");
        }
        const list = await other.send("GET", session.url(routes.threads()));
        const mayList = list.status === 200;
        const isListed = mayList && parsed(list, z.array(threadForm)).some((thread) => thread.threadId === threadId);
        demand(!isListed, `${list.request} as another visitor`, "a list without the thread", `a list with ${threadId}`);
        const history = await session.history(threadId, other);
        demand([401, 404].includes(history.status), `${history.request} as another visitor`, "404", statusOf(history));
        for (const path of [routes.rename(threadId), routes.archive(threadId), routes.run(threadId)]) {
          const json = { title: "?", messages: [question] };
          const tried = await other.send("POST", session.url(path), { json });
          demand([401, 404].includes(tried.status), `${tried.request} as another visitor`, "404", statusOf(tried));
        }
      },
    },
    {
      title: "a body that is not JSON, and an invalid question, are refused",
      rule: "`bad_request`: not JSON",
      run: async (session) => {
        const { threadId } = await session.newThread();
        for (const [path, body] of [
          [routes.rename(threadId), '{"title":'],
          [routes.run(threadId), '{"messages":'],
          [routes.run(threadId), "{}"],
          [routes.run(threadId), '{"messages":[]}'],
        ] as const) {
          const refused = await session.visitor.send("POST", session.url(path), { body });
          const isRefused = refused.status >= 400 && refused.status < 500;
          demand(isRefused, refused.request, "400 or 422", statusOf(refused));
        }
      },
    },
    {
      title: "an error has a code and a message",
      rule: 'An error is `{ "error": { "code", "message" } }` with the matching status.',
      level: "advice",
      run: async (session) => {
        const { request, text } = await session.history(UNKNOWN_THREAD);
        const isError = errorForm.safeParse(jsonOf(text)).success;
        demand(isError, request, '{ "error": { "code", "message" } }', excerpt(text) || "an empty body");
      },
    },
    {
      title: "a title of white space, and one of 10,000 characters, are refused",
      rule: "`unprocessable`: the message names the field",
      level: "advice",
      run: async (session) => {
        const { threadId } = await session.newThread();
        for (const title of [" ", "я".repeat(10_000)]) {
          const json = { title };
          const refused = await session.visitor.send("POST", session.url(routes.rename(threadId)), { json });
          demand(refused.status >= 400 && refused.status < 500, refused.request, "422", statusOf(refused));
        }
      },
    },
  ],
};

function isOk({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** A response's status and the beginning of its body. */
function statusOf({ status, text }: Exchange): string {
  return text.trim() === "" ? String(status) : `${status}: ${excerpt(text)}`;
}
