/** A `localStorage` or `sessionStorage` that never throws. If the page may not store anything, nothing is stored. */
export interface SafeStorage {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
  remove(key: string): void;
}

/** @param area returns the browser's storage; it is a function because reading `window.localStorage` may itself throw */
export function createSafeStorage(area: () => Storage): SafeStorage {
  const attempt = <T>(access: (storage: Storage) => T): T | undefined => {
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

/** The stored keys with this prefix; none if the page may not store anything. */
export function storedKeys(area: () => Storage, prefix: string): readonly string[] {
  try {
    return Object.keys(area()).filter((key) => key.startsWith(prefix));
  } catch {
    return [];
  }
}
