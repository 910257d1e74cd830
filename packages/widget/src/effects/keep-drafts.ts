import type * as Keeper from "./draft-keeper.ts";
import { DRAFT_KEEPER_RETRY_MS } from "../timings.ts";

const PREFIX = "nitka:draft:";

export interface KeptDrafts {
  /** To be called when the visitor writes. */
  readonly begin: () => void;
  /** Removes the project's entries, those of threads that this page has not opened too. */
  readonly forget: () => void;
}

interface KeepDraftsOptions extends Omit<Keeper.DraftKeeperOptions, "prefix"> {
  readonly loadKeeper: () => Promise<typeof Keeper>;
  /** The keys of the session's storage that begin so. */
  readonly keysOf: (prefix: string) => readonly string[];
  /** Tells projects apart. */
  readonly project: string;
  /** The host's token of its visitor; none of an anonymous one. */
  readonly visitorToken: () => Promise<string | undefined>;
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly signal: AbortSignal;
}

/**
 * Keeps drafts over a reload. Its code comes with the first word that the visitor writes, or where an earlier page of
 * this tab has kept some; before that nothing is stored.
 */
export function keepDrafts(options: KeepDraftsOptions): KeptDrafts {
  const { loadKeeper, project, storage, keysOf, visitorToken, after, signal } = options;
  let isBegun = false;
  const load = async () => {
    try {
      const { startDraftKeeper, visitorIn } = await loadKeeper();
      const token = await visitorToken();
      const visitor = token === undefined ? "" : visitorIn(token);
      // Drafts of a visitor whom we cannot tell from another are not kept.
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
  if (keysOf(PREFIX).length > 0) begin();
  return {
    begin,
    forget() {
      for (const key of keysOf(`${PREFIX}[${JSON.stringify(project)},`)) storage.remove(key);
    },
  };
}
