import { claimRoute, routes, visitorRoute } from "@nitka/protocol/routes";
import { z } from "zod";
import type { Section } from "./check.ts";
import { demandStatus } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import { parsed } from "./session.ts";
import type { Session } from "./session.ts";
import type { Exchange } from "./visitor.ts";

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
      title: "an invalid rating, a reason that is too long and an unknown message are refused",
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
        if (!session.hasToken) throw new NotCheckable("it needs a host's token: --token");
        const browser = await session.newVisitor();
        const { threadId } = await session.newThread(browser);
        const claimed = await session.visitor.send("POST", session.url(claimRoute), { json: {}, ...browser.lend() });
        parsed(claimed, z.object({ threads: z.number() }));
        const listed = await session.listed(threadId);
        demand(listed !== undefined, claimed.request, `the thread ${threadId} in the list`, "a list without it");
      },
    },
  ],
};
