import type * as Keeper from "./draft-keeper.ts";
import { DRAFT_KEEPER_RETRY_MS } from "../timings.ts";

const PREFIX = "nitka:draft:";

export interface KeptDrafts {
  /** Call it when the visitor begins to write: loads the code that keeps drafts. */
  readonly begin: () => void;
  /** Removes all entries of the project, also those of threads that this page has not opened. */
  readonly forget: () => void;
}

interface KeepDraftsOptions extends Omit<Keeper.DraftKeeperOptions, "prefix"> {
  readonly loadKeeper: () => Promise<typeof Keeper>;
  /** The stored keys with this prefix. */
  readonly storedKeys: (prefix: string) => readonly string[];
  /** Identifies the project: drafts of different projects are kept apart. */
  readonly project: string;
  /** The host's token of its visitor; `undefined` for an anonymous one. */
  readonly visitorToken: () => Promise<string | undefined>;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps drafts over a reload. The code that does it loads when the visitor begins to write, or at once if an earlier page
 * of this tab has kept drafts. Before that nothing is stored.
 */
export function keepDrafts(options: KeepDraftsOptions): KeptDrafts {
  const { loadKeeper, project, storage, storedKeys, visitorToken, after, signal } = options;
  let isBegun = false;
  const load = async () => {
    try {
      const { startDraftKeeper, subjectOf } = await loadKeeper();
      const token = await visitorToken();
      const visitor = token === undefined ? "" : subjectOf(token);
      // The token does not name its visitor: their drafts could be shown to another one, so none are kept.
      if (signal.aborted || visitor === undefined) return;
      const stop = startDraftKeeper({ ...options, prefix: `${PREFIX}${JSON.stringify([project, visitor])}:` });
      signal.addEventListener("abort", stop, { once: true });
    } catch {
      after(DRAFT_KEEPER_RETRY_MS, () => void load());
    }
  };
  const begin = () => {
    if (isBegun) return;
    isBegun = true;
    void load();
  };
  if (storedKeys(PREFIX).length > 0) begin();
  return {
    begin,
    forget() {
      for (const key of storedKeys(`${PREFIX}[${JSON.stringify(project)},`)) storage.remove(key);
    },
  };
}
