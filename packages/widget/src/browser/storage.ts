/** What a browser remembers of a page between visits. Throws nowhere, also where the page may store nothing. */
export interface Storage {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
  remove(key: string): void;
}

export function createStorage(area: () => globalThis.Storage): Storage {
  const attempt = <T>(access: (storage: globalThis.Storage) => T): T | undefined => {
    try {
      return access(area());
    } catch {
      return undefined;
    }
  };
  return {
    read: (key) => attempt((storage) => storage.getItem(key)) ?? undefined,
    write: (key, value) => attempt((storage) => storage.setItem(key, value)),
    remove: (key) => attempt((storage) => storage.removeItem(key)),
  };
}

/** The keys that begin so. Where the page may store nothing, none does. */
export function keysOf(area: () => globalThis.Storage, prefix: string): readonly string[] {
  try {
    return Object.keys(area()).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
