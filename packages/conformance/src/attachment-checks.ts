import { acceptsFile } from "@nitka/protocol/accepts-file";
import { routes } from "@nitka/protocol/routes";
import type { Section } from "./check.ts";
import { demand, excerpt, NotCheckable } from "./nonconformance.ts";
import type { Session } from "./session.ts";
import { messagesOf, parsed, questions } from "./session.ts";
import { attachmentForm } from "./wire-forms.ts";

/** One file of each kind that a project is likely to accept. */
const files = [
  new File(["The teapot holds 0.7 litres.\n"], "teapot.txt", { type: "text/plain" }),
  new File(
    [
      Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64",
      ),
    ],
    "dot.png",
    { type: "image/png" },
  ),
] as const;

/** An uploaded file, and the thread that it was uploaded to. */
function uploaded(session: Session) {
  return session.once("uploaded", async () => {
    const rules = session.config.attachments;
    if (rules === false) throw new NotCheckable("the config accepts no attachments");
    const file = files.find(({ name, type }) => acceptsFile(rules?.accept ?? "", { name, contentType: type }));
    if (!file) throw new NotCheckable(`the config accepts neither text nor PNG files (${rules?.accept})`);
    const { threadId } = await session.newThread();
    const body = new FormData();
    body.set("file", file);
    const response = await session.visitor.send("POST", session.url(routes.attachments(threadId)), { body });
    return { threadId, file, request: response.request, attachment: parsed(response, attachmentForm) };
  });
}

export const attachmentChecks: Section = {
  name: "Attachments",
  checks: [
    {
      title: "an uploaded file is described as it is",
      rule: "multipart, field `file`: the `Attachment`.",
      feature: "upload",
      run: async (session) => {
        const { file, attachment, request } = await uploaded(session);
        const { name, size, contentType } = attachment;
        const described = `${name}, ${contentType.replace(/;.*/, "")}, ${size} bytes`;
        const expected = `${file.name}, ${file.type}, ${file.size} bytes`;
        demand(described === expected, request, expected, described);
      },
    },
    {
      title: "its address returns the same bytes, only to its visitor",
      rule: "`GET api/debug/attachments/{id}`: its bytes",
      feature: "upload",
      run: async (session) => {
        const { file, attachment } = await uploaded(session);
        const url = session.url(attachment.url);
        const { request, status, text } = await session.visitor.send("GET", url);
        demand(
          status === 200 && text === (await file.text()),
          request,
          "the file's bytes",
          `${status}: ${excerpt(text)}`,
        );
        const other = await session.newVisitor();
        if (!session.visitor.isKnown()) return;
        const tried = await other.send("GET", url);
        demand([401, 404].includes(tried.status), `${request} as another visitor`, "404", String(tried.status));
      },
    },
    {
      title: "a question keeps its attachment",
      rule: "A file that belongs to a question is listed with it.",
      feature: "upload",
      run: async (session) => {
        const { threadId, attachment } = await uploaded(session);
        const run = await session.ask(threadId, questions.short, { attachments: [attachment] });
        await run.rest();
        const history = await session.history(threadId);
        const [asked] = messagesOf(history);
        const names = (asked?.attachments ?? []).map(({ name }) => name).join(", ");
        demand(names === attachment.name, history.request, attachment.name, names || "a question without attachments");
      },
    },
    {
      title: "an attachment that does not exist is refused",
      rule: "An unknown `parentId`, model or trigger, another visitor's attachment, or a role other than `user`: 422.",
      feature: "upload",
      run: async (session) => {
        const { threadId, attachment } = await uploaded(session);
        const foreign = { ...attachment, id: "no-such-file", url: "api/debug/attachments/no-such-file" };
        const json = { messages: [{ id: "conformance-6", role: "user", content: "?", attachments: [foreign] }] };
        const refused = await session.visitor.send("POST", session.url(routes.run(threadId)), { json });
        demand(refused.status === 422, refused.request, "422", `${refused.status}: ${excerpt(refused.text)}`);
      },
    },
  ],
};
