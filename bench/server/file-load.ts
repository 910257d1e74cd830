/** A process with visitors who open a thread with files. */
import { text } from "node:stream/consumers";
import { createLoadClient } from "./load-client.ts";
import { answerCalls } from "./servers/start-process.ts";

interface ListedMessage {
  readonly content: unknown;
  readonly attachments?: readonly { readonly url: string }[];
}

const client = createLoadClient();
let threadId = "";

answerCalls({
  /**
   * A thread whose questions have one file each, every other one inside its message.
   *
   * @returns the bytes of all files
   */
  seed: async (url: string, files: number, fileBytes: number): Promise<number> => {
    await client.visit(url);
    threadId = await client.createThread(url);
    let parentId: string | null = null;
    for (let n = 0; n < files; n += 1) {
      const attachment = n % 2 === 0 ? await upload(url, fileBytes) : inline(n, fileBytes);
      const answer = await client.ask(url, threadId, PACE, { id: `f${n}`, attachments: [attachment], parentId });
      if (answer.statusCode !== 200) throw new Error(`A question with a file was answered with ${answer.statusCode}`);
      parentId = /"messageId":"([^"]+)"/.exec(await text(answer))?.[1] ?? null;
    }
    return files * fileBytes;
  },
  /** Several visitors at the same time request the history, then every file in it. */
  open: async (url: string, visitors: number): Promise<void> => {
    await Promise.all(Array.from({ length: visitors }, () => open(url)));
  },
});

/** An answer of a single delta. */
const PACE = { deltas: 1, everyMs: 0 };

async function open(url: string): Promise<void> {
  const messages = await client.json<readonly ListedMessage[]>(
    new URL(`api/debug/threads/${threadId}/messages`, url).href,
  );
  const urls = messages.flatMap(({ attachments = [] }) => attachments.map((each) => each.url));
  for (const each of urls) {
    if (each.startsWith("data:")) continue;
    const response = await client.send(new URL(each, url).href);
    if (response.statusCode !== 200) throw new Error(`A file was answered with ${response.statusCode}`);
    for await (const _ of response) continue;
  }
}

async function upload(url: string, bytes: number): Promise<unknown> {
  const form = new FormData();
  form.append("file", new File([notes(bytes)], "notes.txt", { type: "text/plain" }));
  const path = new URL(`api/debug/threads/${threadId}/attachments`, url);
  const response = await fetch(path, { method: "POST", headers: { cookie: client.cookie() }, body: form });
  if (!response.ok) throw new Error(`An upload was answered with ${response.status}: ${await response.text()}`);
  return await response.json();
}

function inline(n: number, bytes: number): unknown {
  const data = Buffer.from(notes(bytes)).toString("base64");
  return { id: `i${n}`, name: "notes.txt", contentType: "text/plain", url: `data:text/plain;base64,${data}` };
}

function notes(bytes: number): string {
  return "a line of notes\n".repeat(Math.ceil(bytes / 16)).slice(0, bytes);
}
