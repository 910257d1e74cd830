import type * as Code from "./persist-drafts.ts";
import { PERSIST_DRAFTS_RETRY_MS } from "../timings.ts";

const PREFIX = "nitka:draft:";

export interface DraftPersistence {
  /** Call it when the visitor begins to write: loads the code that keeps drafts. */
  readonly begin: () => void;
  /** Removes all entries of the project, also those of threads that this page has not opened. */
  readonly forget: () => void;
}

interface LoadPersistDraftsOptions extends Omit<Code.PersistDraftsOptions, "prefix"> {
  readonly loadCode: () => Promise<typeof Code>;
  /** The stored keys with this prefix. */
  readonly storedKeys: (prefix: string) => readonly string[];
  /** Identifies the project: drafts of different projects are kept apart. */
  readonly project: string;
  /** The `sub` of the host's token; `""` for the anonymous visitor, `undefined` where the token has none. */
  readonly subject: () => Promise<string | undefined>;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps drafts over a reload. The code that does it loads when the visitor begins to write, or at once if an earlier page
 * of this tab has kept drafts. Before that nothing is stored.
 */
export function loadPersistDrafts(options: LoadPersistDraftsOptions): DraftPersistence {
  const { loadCode, project, storage, storedKeys, subject, after, signal } = options;
  const keys = () => storedKeys(`${PREFIX}[${JSON.stringify(project)},`);
  let begun: Promise<void> | undefined;
  const load = async () => {
    try {
      const { persistDrafts } = await loadCode();
      const visitor = await subject();
      const prefixOf = (whose: string | undefined) => `${PREFIX}${JSON.stringify([project, whose])}:`;
      const mine = prefixOf(visitor);
      // What the visitor before has written is not left to this one. The anonymous visitor may be the same person.
      for (const key of keys()) if (!key.startsWith(mine) && !key.startsWith(prefixOf(""))) storage.remove(key);
      // The token does not name its visitor: their drafts could be shown to another one, so none are kept.
      if (signal.aborted || visitor === undefined) return;
      const stop = persistDrafts({ ...options, prefix: mine });
      signal.addEventListener("abort", stop);
    } catch {
      after(PERSIST_DRAFTS_RETRY_MS, () => void load());
    }
  };
  const begin = () => {
    begun ??= load();
  };
  if (storedKeys(PREFIX)[0]) begin();
  return {
    begin,
    forget() {
      for (const key of keys()) storage.remove(key);
    },
  };
}
