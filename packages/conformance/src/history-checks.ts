import type { Message, Part } from "@nitka/protocol";
import { partsOf, textOf } from "@nitka/protocol/message";
import type { Section } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import type { Session, Talk } from "./session.ts";
import { messagesOf, questions } from "./session.ts";

/** The conversation with its stored question and answer. */
async function stored(
  session: Session,
): Promise<Talk & { readonly messages: readonly Message[]; readonly request: string }> {
  const talk = await session.talk();
  return { ...talk, messages: messagesOf(talk.history), request: talk.history.request };
}

/** Two questions in one thread. */
function twoTalks(session: Session) {
  return session.once("two talks", async () => {
    const { threadId, messages } = await stored(session);
    const run = await session.ask(threadId, questions.second, { parentId: messages.at(-1)?.id ?? null });
    await run.rest();
    const history = await session.history(threadId);
    return { threadId, run, request: history.request, messages: messagesOf(history) };
  });
}

export const historyChecks: Section = {
  name: "History",
  checks: [
    {
      title: "the history is the question and its answer",
      rule: "`[Message]`",
      run: async (session) => {
        const { messages, questionId, question, request } = await stored(session);
        const roles = messages.map(({ role }) => role).join(", ");
        demand(roles === "user, assistant", request, "a user message and an assistant message", roles || "no message");
        const [asked] = messages;
        demand(asked?.id === questionId, request, `the question's own id ${questionId}`, String(asked?.id));
        demand(textOf(asked) === question, request, question, excerpt(textOf(asked)));
      },
    },
    {
      title: "the answer has the id that the stream gave it",
      rule: "renames the answer in place",
      run: async (session) => {
        const { messages, run, request } = await stored(session);
        const start = run.events().find((event) => event.type === "start");
        if (start?.messageId === undefined) throw new NotCheckable("the stream has no start event with a messageId");
        const id = messages.at(-1)?.id;
        demand(id === start.messageId, request, `the id ${start.messageId} of the stream`, String(id));
      },
    },
    {
      title: "the answer's text is the text that was streamed",
      rule: "The history has what was streamed: the same text, tool calls and data.",
      run: async (session) => {
        const { messages, run, request } = await stored(session);
        const [streamed, kept] = [wholeText(run.answer()), wholeText(messages.at(-1))];
        demand(kept === streamed, request, `«${excerpt(streamed)}»`, `«${excerpt(kept)}»${placeOf(streamed, kept)}`);
      },
    },
    {
      title: "the answer's reasoning, tool calls, files and data are those that were streamed",
      rule: "The history has what was streamed: the same text, tool calls and data.",
      level: "advice",
      run: async (session) => {
        const { messages, run, request } = await stored(session);
        const [streamed, kept] = [otherParts(run.answer()), otherParts(messages.at(-1))];
        demand(kept === streamed, request, streamed || "text alone", kept || "text alone");
      },
    },
    {
      title: "the answer is complete",
      rule: "The `status` of an incomplete answer has a `reason`",
      run: async (session) => {
        const { messages, request } = await stored(session);
        const status = messages.at(-1)?.status;
        const isComplete = status === undefined || status.type === "complete";
        demand(isComplete, request, "complete, or no status", JSON.stringify(status));
      },
    },
    {
      title: "a title that the stream brings is the title in the list",
      rule: "title the thread",
      run: async (session) => {
        const { run, threadId } = await session.talk();
        const title = run.events().findLast((event) => "title" in event && /title|rename/.test(event.type));
        if (!title || !("title" in title)) throw new NotCheckable("the stream brings no title");
        const listed = (await session.listed(threadId))?.title;
        demand(listed === title.title, "GET api/debug/threads", `the title ${title.title}`, String(listed));
      },
    },
    {
      title: "a second question and its answer follow the first",
      rule: "A list without `parentId` is one straight line.",
      run: async (session) => {
        const { messages, request } = await twoTalks(session);
        const roles = messages.map(({ role }) => role).join(", ");
        demand(roles === "user, assistant, user, assistant", request, "two questions and two answers", roles);
        demand(textOf(messages[2] ?? { content: "" }) === questions.second, request, questions.second, roles);
      },
    },
    {
      title: "parents come before their children, and ids are unique",
      rule: "In a list, parents come before their children, and the last message is the end of the branch to show.",
      run: async (session) => {
        const { messages, request } = await twoTalks(session);
        const seen = new Set<string>();
        for (const { id, parentId } of messages) {
          demand(!seen.has(id), request, "each id once", `${id} twice`);
          const isKnown = parentId == null || seen.has(parentId);
          demand(isKnown, request, `the parent ${parentId} before ${id}`, "a list in which it does not come before");
          seen.add(id);
        }
      },
    },
    {
      title: "the ids that the backend gives are visible ASCII",
      rule: "Ids of messages are 1 to 128 visible ASCII characters.",
      run: async (session) => {
        const { messages, request } = await stored(session);
        const wrong = messages.find(({ id }) => !/^[\x21-\x7e]{1,128}$/.test(id));
        demand(wrong === undefined, request, "1 to 128 visible ASCII characters", JSON.stringify(wrong?.id));
      },
    },
  ],
};

/** All text of a message, however it is split into parts. */
function wholeText(message: Message | undefined): string {
  return message
    ? partsOf(message)
        .flatMap((part) => (part.type === "text" ? part.text : []))
        .join("")
    : "";
}

/** The other parts, as far as they must be the same in the stream and the history. */
function otherParts(message: Message | undefined): string {
  return message ? partsOf(message).flatMap(shortPart).join(", ") : "";
}

function shortPart(part: Part): string | readonly string[] {
  switch (part.type) {
    case "text":
      return [];
    case "reasoning":
      return `reasoning of ${part.text.length} characters`;
    case "tool-call":
      return `${part.toolName}(${JSON.stringify(part.args)}) → ${JSON.stringify(part.result)?.length ?? 0} characters`;
    case "data":
      return `data-${part.name} ${JSON.stringify(part.data)}`;
    default:
      // The addresses of files may change when they are stored.
      return part.type;
  }
}

/** The position where two texts begin to differ. */
function placeOf(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at === one.length
    ? ` (${other.length} characters in place of ${one.length})`
    : `, which differs from character ${at + 1} on`;
}
