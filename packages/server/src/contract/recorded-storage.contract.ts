import type { Storage } from "../storage/storage.ts";

/** A storage that records the names of its calls, such as `messages.tree`. */
export function recorded(storage: Storage): { readonly storage: Storage; readonly calls: string[] } {
  const calls: string[] = [];
  const recordedGroup = <Group extends object>(group: Group, name: string): Group =>
    new Proxy(group, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          calls.push(`${name}.${String(key)}`);
          return Reflect.apply(member, target, args);
        };
      },
    });
  return {
    calls,
    storage: {
      ...storage,
      threads: recordedGroup(storage.threads, "threads"),
      messages: recordedGroup(storage.messages, "messages"),
      runs: recordedGroup(storage.runs, "runs"),
      attachments: recordedGroup(storage.attachments, "attachments"),
    },
  };
}
