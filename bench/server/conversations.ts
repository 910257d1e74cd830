import type { ChatServer, Owner, Storage } from "@nitka/server";

/** A visitor's cookie and one of their threads. */
export interface Seeded {
  readonly cookie: string;
  readonly threadId: string;
}

export interface SeededVisitor extends Seeded {
  readonly owner: Owner;
}

interface Said {
  readonly asked: string;
  readonly answered: string;
}

const ANSWER = `Погода сегодня **ясная**, ветер слабый. ${"Подробности ниже по тексту, строка за строкой. ".repeat(12)}`;

/** Fills the storage with conversations of new visitors. */
export function createConversations(storage: Storage, chat: ChatServer) {
  return {
    /** Returns the thread in the middle of the list. */
    seedThreads: async (count: number): Promise<Seeded> => {
      const { owner, cookie } = await newVisitor(chat);
      for (let n = 0; n < count; n += 1) await createThread(storage, owner, n);
      return { cookie, threadId: idOf(owner, Math.floor(count / 2)) };
    },
    /** Creates threads with two questions each, whose texts are `sentences`. Each begins with `mark`. */
    seedSaid: async (count: number, sentences: readonly string[], mark: string): Promise<SeededVisitor> => {
      const { owner, cookie } = await newVisitor(chat);
      let next = 0;
      const sentence = () => sentences[(next = (next * 7 + 13) % 999_983) % sentences.length] ?? "";
      const lanes = Array.from({ length: 50 }, async (_, lane) => {
        for (let n = lane; n < count; n += 50) {
          const threadId = await createThread(storage, owner, n);
          for (const turn of [0, 1]) {
            const asked = `${mark}. ${sentence()}`;
            const answered = [1, 2, 3, 4].map(sentence).join(" ");
            await say(storage, owner, threadId, turn, { asked, answered });
          }
        }
      });
      await Promise.all(lanes);
      return { owner, cookie, threadId: idOf(owner, Math.floor(count / 2)) };
    },
    /** Adds a question and its answer to the middle one of the threads of `seedSaid`. */
    sayMore: async ({ owner, threadId }: SeededVisitor, n: number, said: Said): Promise<void> =>
      say(storage, owner, threadId, n + 2, said),
    /** Makes one thread with `count` messages, half of them questions. */
    seedMessages: async (count: number): Promise<Seeded> => {
      const { owner, cookie } = await newVisitor(chat);
      const threadId = await createThread(storage, owner, 0);
      for (let n = 0; n < count / 2; n += 1) {
        await say(storage, owner, threadId, n, { asked: "Какая погода?", answered: ANSWER });
      }
      return { cookie, threadId };
    },
  };
}

async function say(
  storage: Storage,
  owner: Owner,
  threadId: string,
  n: number,
  { asked, answered }: Said,
): Promise<void> {
  const at = new Date().toISOString();
  const [questionId, answerId] = [`q${n}`, `a${n}`];
  await storage.runs.begin(
    owner,
    { runId: `${threadId}-${n}`, threadId, questionId, answerId, instanceId: "seed" },
    { id: questionId, role: "user", content: asked, parentId: n === 0 ? null : `a${n - 1}` },
    { regenerate: false, at },
  );
  const content = [{ type: "text", text: answered }] as const;
  const answer = { id: answerId, role: "assistant", content, status: { type: "complete" } } as const;
  await storage.runs.end(`${threadId}-${n}`, answer, at);
}

async function createThread(storage: Storage, owner: Owner, n: number): Promise<string> {
  const threadId = idOf(owner, n);
  await storage.threads.create(owner, { threadId, updatedAt: new Date(n * 1000).toISOString(), title: `Тема ${n}` });
  return threadId;
}

function idOf({ visitorId }: Owner, n: number): string {
  return `${visitorId}-${n}`;
}

/** The cookie is the visitor's id, a dot and a signature. */
async function newVisitor(chat: ChatServer): Promise<{ readonly owner: Owner; readonly cookie: string }> {
  const response = await chat.fetch(new Request("http://localhost/api/projects/default/config"));
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? "";
  const visitorId = cookie.slice(cookie.indexOf("=") + 1).split(".")[0];
  if (!visitorId) throw new Error("The config request returned no visitor's cookie");
  return { owner: { projectId: "default", visitorId }, cookie };
}
