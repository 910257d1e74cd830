import { partsOf } from "@nitka/protocol/message";
import { MAX_PAGE_CONTEXT_CHARS } from "@nitka/protocol/page-tool";
import { routes } from "@nitka/protocol/routes";
import type { Section } from "./check.ts";
import { demandStatus } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import { tailOf } from "./run-reader.ts";
import type { Session } from "./session.ts";
import { questions } from "./session.ts";
import type { Exchange } from "./visitor.ts";

const question = { id: "conformance-7", role: "user", content: "?" };

/** A shop's page and its tool, chosen so that a model has a reason to call the tool. The demo model knows them too. */
const mug = { sku: "blue-mug", title: "Синяя кружка", price: 900, stock: 5 };
const shop = { currency: "RUB", goods: [mug], basket: { lines: [], goods: 0, total: 0 } };
const tool = {
  name: "add_to_basket",
  description: "Puts goods into the visitor's basket. Call it whenever the visitor asks for goods in the basket.",
  parameters: {
    type: "object",
    properties: { sku: { type: "string" }, count: { type: "integer" } },
    required: ["sku"],
  },
};
const OUTPUT = { lines: [{ ...mug, count: 1 }], goods: 1, total: 900 };

/** A run that waits for a tool of the page, with the responses to two pages. */
function toolTalk(session: Session) {
  return session.once("tool talk", async () => {
    const { threadId } = await session.newThread();
    const hasContext = session.config.features?.pageContext === true;
    const body = { tools: [tool], ...(hasContext && { pageContext: shop }) };
    const run = await session.ask(threadId, questions.tool, { body });
    await run.until((reader) => reader.events().some(({ type }) => type === "data-tool-request"));
    const call = run.events().find((event) => event.type === "data-tool-request");
    if (!call) throw new NotCheckable("the model did not call the tool that it was offered");
    const { toolCallId } = call;
    const say = (answer: object) =>
      session.visitor.send("POST", session.url(routes.toolAnswer(threadId)), { json: { toolCallId, ...answer } });
    const claims = [await say({ claim: "page-1" }), await say({ claim: "page-1" }), await say({ claim: "page-2" })];
    const outputs = [await say({ output: OUTPUT }), await say({ output: "late" })];
    await run.rest();
    return { threadId, run, toolCallId, claims, outputs };
  });
}

function demandResponse(exchange: Exchange | undefined, status: number): void {
  const got = exchange ? `${exchange.status}: ${excerpt(exchange.text)}` : "nothing";
  demand(exchange?.status === status, exchange?.request ?? "", String(status), got);
}

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
      title: "invalid tools are refused",
      rule: "A duplicate name, a name of one of the server's own tools, an invalid schema and more than 100,000 characters in all are 422.",
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
      },
    },
    {
      title: "one page may claim a tool call, and every other page may not",
      rule: "The page that claims a call first may run it, and may claim it again; every other page gets 409 `already_claimed`.",
      feature: "clientTools",
      run: async (session) => {
        const { claims } = await toolTalk(session);
        for (const [index, status] of [200, 200, 409].entries()) demandResponse(claims[index], status);
      },
    },
    {
      title: "the first output of a tool call counts",
      rule: "The first final answer counts, wherever it arrives; a later one is 409 `already_answered`",
      feature: "clientTools",
      run: async (session) => {
        const { outputs } = await toolTalk(session);
        demandResponse(outputs[0], 200);
        // 404 when the answer has already ended.
        demandResponse(outputs[1], outputs[1]?.status === 404 ? 404 : 409);
      },
    },
    {
      title: "the answer continues with the tool's output, and the history has it",
      rule: "sets the result; a later result replaces an earlier one",
      feature: "clientTools",
      run: async (session) => {
        const { run, threadId, toolCallId } = await toolTalk(session);
        demand(run.isDone(), run.request, "an answer to its end", tailOf(run.text()));
        const results = [run.answer(), ...(await session.messages(threadId)).slice(-1)].map((message) =>
          partsOf(message).find((part) => part.type === "tool-call" && part.toolCallId === toolCallId),
        );
        for (const [index, place] of ["in the stream", "in the history"].entries()) {
          const part = results[index];
          const result = JSON.stringify(part?.type === "tool-call" ? part.result : undefined);
          demand(
            result === JSON.stringify(OUTPUT),
            run.request,
            `${JSON.stringify(OUTPUT)} ${place}`,
            result ?? "none",
          );
        }
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
