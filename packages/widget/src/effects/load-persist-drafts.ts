import type * as Code from "./persist-drafts.ts";
import { PERSIST_DRAFTS_RETRY_MS } from "../timings.ts";

const PREFIX = "nitka:draft:";

export interface DraftPersistence {
  /** To be called when the visitor begins to write. Loads the code that stores drafts. */
  readonly begin: () => void;
  /** Removes all entries of the project, including those of threads that this page has not opened. */
  readonly forget: () => void;
}

interface LoadPersistDraftsOptions extends Omit<Code.PersistDraftsOptions, "prefix"> {
  readonly loadCode: () => Promise<typeof Code>;
  /** The stored keys with this prefix. */
  readonly storedKeys: (prefix: string) => readonly string[];
  /** Identifies the project, so that drafts of different projects are separate. */
  readonly project: string;
  /** The `sub` of the host's token; `""` for the anonymous visitor, `undefined` if the token has none. */
  readonly subject: () => Promise<string | undefined>;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps drafts when the page reloads. Its code loads when the visitor begins to write, or at once if an earlier page of this
 * tab has stored drafts. Before that nothing is stored.
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
      // The previous visitor's drafts are removed. The anonymous visitor's stay, because they may be the same person.
      for (const key of keys()) if (!key.startsWith(mine) && !key.startsWith(prefixOf(""))) storage.remove(key);
      // If the token does not name its visitor, their drafts could be shown to another one, so none are stored.
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
