import type { Message, Thread } from "@nitka/protocol";
import type { ThreadStorage } from "./thread-storage.ts";

interface KeptThread {
  thread: Thread;
  readonly messages: Map<string, Message>;
}

/** Keeps threads in memory until the process ends: for trials and for tests. */
export function createMemoryThreads(): ThreadStorage {
  const visitors = new Map<string, Map<string, KeptThread>>();
  const find = (visitorId: string, threadId: string) => visitors.get(visitorId)?.get(threadId);
  return {
    async list(visitorId) {
      const threads = [...(visitors.get(visitorId)?.values() ?? [])].map(({ thread }) => thread);
      return threads.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt));
    },
    async create(visitorId, thread) {
      const threads = visitors.get(visitorId) ?? new Map<string, KeptThread>();
      visitors.set(visitorId, threads.set(thread.threadId, { thread, messages: new Map() }));
    },
    async read(visitorId, threadId) {
      const kept = find(visitorId, threadId);
      return kept && { ...kept.thread, messages: [...kept.messages.values()] };
    },
    async change(visitorId, threadId, { message, ...changes }) {
      const kept = find(visitorId, threadId);
      if (!kept) return false;
      kept.thread = { ...kept.thread, ...changes };
      if (message) kept.messages.set(message.id, message);
      return true;
    },
    async delete(visitorId, threadId) {
      visitors.get(visitorId)?.delete(threadId);
    },
  };
}
