import { DatabaseSync } from "node:sqlite";
import type { ThreadStorage } from "@nitka/ai-sdk/routes";
import type { Message, Thread } from "@nitka/protocol";

const tables = `
  CREATE TABLE IF NOT EXISTS threads (thread_id TEXT PRIMARY KEY, visitor_id TEXT, title TEXT, updated_at TEXT);
  CREATE INDEX IF NOT EXISTS threads_of_visitor ON threads (visitor_id, updated_at);
  CREATE TABLE IF NOT EXISTS messages (
    number INTEGER PRIMARY KEY, thread_id TEXT, message_id TEXT, message TEXT, UNIQUE (thread_id, message_id)
  );`;

const columns = `thread_id AS "threadId", title, updated_at AS "updatedAt"`;

/** The threads of all visitors in an SQLite file. On another database the statements are nearly the same. */
export function openSqliteThreads(path: string): ThreadStorage {
  const database = new DatabaseSync(path);
  database.exec(tables);
  const list = database.prepare(`SELECT ${columns} FROM threads WHERE visitor_id = ? ORDER BY updated_at DESC`);
  const create = database.prepare("INSERT INTO threads VALUES (:threadId, :visitorId, :title, :updatedAt)");
  const find = database.prepare(`SELECT ${columns} FROM threads WHERE visitor_id = ? AND thread_id = ?`);
  const messages = database.prepare("SELECT message FROM messages WHERE thread_id = ? ORDER BY number");
  const change = database.prepare(`
    UPDATE threads SET title = coalesce(:title, title), updated_at = coalesce(:updatedAt, updated_at)
    WHERE visitor_id = :visitorId AND thread_id = :threadId`);
  const put = database.prepare(`
    INSERT INTO messages (thread_id, message_id, message) VALUES (?, ?, ?)
    ON CONFLICT (thread_id, message_id) DO UPDATE SET message = excluded.message`);
  const remove = database.prepare("DELETE FROM threads WHERE visitor_id = ? AND thread_id = ?");
  const removeMessages = database.prepare("DELETE FROM messages WHERE thread_id = ?");

  return {
    list: async (visitorId) => list.all(visitorId).map(toThread),
    async create(visitorId, { threadId, title = "", updatedAt }) {
      create.run({ visitorId, threadId, title, updatedAt });
    },
    async read(visitorId, threadId) {
      const row = find.get(visitorId, threadId);
      return row && { ...toThread(row), messages: messages.all(threadId).map(toMessage) };
    },
    async change(visitorId, threadId, { title = null, updatedAt = null, message }) {
      if (change.run({ visitorId, threadId, title, updatedAt }).changes === 0) return false;
      if (message) put.run(threadId, message.id, JSON.stringify(message));
      return true;
    },
    async delete(visitorId, threadId) {
      if (remove.run(visitorId, threadId).changes > 0) removeMessages.run(threadId);
    },
  };
}

type Row = Readonly<Record<string, unknown>>;

const toThread = (row: Row) => ({ ...row }) as unknown as Thread;
const toMessage = ({ message }: Row) => JSON.parse(String(message)) as Message;
