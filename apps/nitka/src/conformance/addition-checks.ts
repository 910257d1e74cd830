import { MAX_PAGE_CONTEXT_CHARS } from "@nitka/protocol/page-tool";
import { claimRoute, routes, visitorRoute } from "@nitka/protocol/routes";
import { z } from "zod";
import type { Section } from "./check.ts";
import { demand, NotCheckable } from "./nonconformance.ts";
import { parsed } from "./session.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";
import { excerpt } from "./visitor.ts";

const question = { id: "conformance-7", role: "user", content: "?" };

/** Sends what a backend must refuse, and expects this status. */
async function demandStatus(status: number, sent: Promise<Exchange>): Promise<void> {
  const { request, status: got, text } = await sent;
  demand(got === status, request, String(status), `${got}: ${excerpt(text)}`);
}

/** Rates the answer of the conversation. */
async function rate(session: Session, json: object): Promise<Exchange> {
  const { threadId } = await session.talk();
  const [, answer] = await session.messages(threadId);
  return session.visitor.send("POST", session.url(routes.feedback(threadId, answer?.id ?? "")), { json });
}

async function ratingOf(session: Session): Promise<string> {
  const { threadId } = await session.talk();
  const [, answer] = await session.messages(threadId);
  return JSON.stringify(answer?.feedback ?? null);
}

export const feedbackChecks: Section = {
  name: "Feedback",
  checks: [
    {
      title: "a rating and its reason are listed with the answer, and null removes them",
      rule: "stores what the visitor thinks of an answer, with a reason of at most 2,000 characters; `null` removes it: 204.",
      feature: "feedback",
      run: async (session) => {
        for (const feedback of [{ rating: "up" }, { rating: "down", reason: "Не про чайник" }]) {
          const { request, status, text } = await rate(session, feedback);
          demand(status === 204, request, "204", `${status}: ${excerpt(text)}`);
          const listed = await ratingOf(session);
          demand(listed === JSON.stringify(feedback), request, JSON.stringify(feedback), listed);
        }
        const { request } = await rate(session, { rating: null });
        const listed = await ratingOf(session);
        demand(listed === "null", request, "no feedback", listed);
      },
    },
    {
      title: "a rating that is none, a reason that is too long and an unknown message are refused",
      rule: "`unprocessable`: the message names the field",
      feature: "feedback",
      run: async (session) => {
        await demandStatus(422, rate(session, { rating: "five stars" }));
        await demandStatus(422, rate(session, { rating: "down", reason: "я".repeat(2001) }));
        const { threadId } = await session.talk();
        const url = session.url(routes.feedback(threadId, "conformance-no-such-message"));
        await demandStatus(404, session.visitor.send("POST", url, { json: { rating: "up" } }));
      },
    },
  ],
};

export const pageChecks: Section = {
  name: "The page and its tools",
  checks: [
    {
      title: "a question with the page's context is answered, and too large a context is refused",
      rule: "More characters are 422.",
      feature: "pageContext",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const url = session.url(routes.run(threadId));
        const pageContext = "я".repeat(MAX_PAGE_CONTEXT_CHARS);
        await demandStatus(422, session.visitor.send("POST", url, { json: { messages: [question], pageContext } }));
        const run = await session.ask(threadId, question.content, { body: { pageContext: { page: "/teapots" } } });
        demand((await run.rest()).isDone(), run.request, "an answer", excerpt(run.text()));
      },
    },
    {
      title: "a question with tools is answered, and tools that make no sense are refused",
      rule: "A name twice, a name of the server's own tools, a schema that is none and more than 100,000 characters in all are 422.",
      feature: "clientTools",
      run: async (session) => {
        const { threadId } = await session.newThread();
        const url = session.url(routes.run(threadId));
        const tool = { name: "conformance_look", description: "Looks at the page", parameters: { type: "object" } };
        const wrong = [
          [tool, tool],
          [{ ...tool, name: "имя" }],
          [{ ...tool, parameters: { type: "no such type" } }],
          [{ name: tool.name, description: tool.description }],
        ];
        for (const tools of wrong) {
          await demandStatus(422, session.visitor.send("POST", url, { json: { messages: [question], tools } }));
        }
        const run = await session.ask(threadId, "Reply with one word.", { body: { tools: [tool] } });
        // A model that calls the tool waits for it. The run is not needed any more.
        await run.until((reader) =>
          reader.events().some(({ type }) => type === "text-delta" || type === "data-tool-request"),
        );
        run.drop();
        demand(run.events().length > 0, run.request, "an answer", excerpt(run.text()));
        await session.visitor.send("POST", session.url(routes.cancel(threadId)), { json: {} });
      },
    },
    ...(["clientTools", "approvals"] as const).map((feature) => ({
      title: `an answer to a tool call that nobody made is refused (${feature})`,
      rule: "A call that the server does not know and one of a run that is over are 404.",
      feature,
      run: async (session: Session) => {
        const { threadId } = await session.newThread();
        const url = session.url(routes.toolAnswer(threadId));
        const answer = feature === "approvals" ? { approved: true } : { output: 1 };
        const json = { toolCallId: "conformance-no-such-call", ...answer };
        await demandStatus(404, session.visitor.send("POST", url, { json }));
      },
    })),
  ],
};

export const visitorChecks: Section = {
  name: "Visitors",
  checks: [
    {
      title: "erasing a visitor leaves none of the threads",
      rule: "erases everything that the visitor wrote and uploaded, and deletes the cookie: 204",
      feature: "erase",
      run: async (session) => {
        const visitor = await session.newVisitor();
        const { threadId } = await session.newThread(visitor);
        const { request, status, text } = await visitor.send("DELETE", session.url(visitorRoute));
        demand(status === 204, request, "204", `${status}: ${excerpt(text)}`);
        const history = await session.history(threadId, visitor);
        demand([401, 404].includes(history.status), history.request, "404 after the erasure", String(history.status));
      },
    },
    {
      title: "the host's token takes over the threads of this browser's visitor",
      rule: "moves the threads of this browser's anonymous visitor (its cookie, or `{ token }`) to the named visitor, once: `{ threads }`",
      feature: "claim",
      run: async (session) => {
        if (!session.hasToken) throw new NotCheckable("it needs a token of the host: --token");
        const browser = await session.newVisitor();
        const { threadId } = await session.newThread(browser);
        const { config } = session;
        const anonymous = config.visitor?.token;
        if (anonymous === undefined)
          throw new NotCheckable("the anonymous visitor has a cookie alone, which this check cannot lend");
        const json = { token: anonymous };
        const claimed = await session.visitor.send("POST", session.url(claimRoute), { json });
        parsed(claimed, z.object({ threads: z.number() }));
        const listed = await session.listed(threadId);
        demand(listed !== undefined, claimed.request, `the thread ${threadId} in the list`, "a list without it");
      },
    },
  ],
};
