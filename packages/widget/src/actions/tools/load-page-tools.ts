/** The code for the page's tools and for approvals loads when it is needed. Most widgets never need it. */
import type { RunRequest } from "@nitka/protocol";
import { loadChunk } from "../../load-chunk.ts";
import { isRunning } from "../../store/selectors.ts";
import { PAGE_TOOLS_RETRY_MS } from "../../timings.ts";
import type { ActionContext } from "../action-context.ts";
import { failureOf } from "../action-context.ts";
import type { PageTools, WaitingCallEvent } from "./page-tools.ts";

export type LazyPageTools = Omit<PageTools, "read"> & {
  /** Resolves with `undefined` if the page offers nothing. */
  readonly read: () => Promise<Pick<RunRequest, "pageContext" | "tools">> | undefined;
};

/** Like `createPageTools`, but its code loads when it is first needed. */
export function loadPageTools(context: ActionContext): LazyPageTools {
  const { store, after } = context;
  const loadCode = loadChunk(() => import("./page-tools.ts"));
  const offer = () => context.pageOffer?.() ?? {};
  let loaded: PageTools | undefined;
  const load = async () => {
    const { createPageTools } = await loadCode();
    return (loaded ??= createPageTools(context, offer));
  };
  const check = () => {
    // The tools are checked at once, so that the host learns about errors before a model calls the tools.
    if (offer().tools)
      load().then(
        (code) => code.offerChanged(),
        (error: unknown) => failureOf(context, error),
      );
  };
  check();
  const request = (threadId: string, event: WaitingCallEvent): void => {
    load().then(
      (tools) => tools.request(threadId, event),
      (error: unknown) => {
        failureOf(context, error);
        after(PAGE_TOOLS_RETRY_MS, () => isRunning(store.get(), threadId) && request(threadId, event));
      },
    );
  };
  return {
    request,
    read: () => {
      const { tools, pageContext } = offer();
      if (!tools && pageContext == null) return undefined;
      return load().then(
        (code) => code.read(),
        (error: unknown) => {
          failureOf(context, error);
          return {};
        },
      );
    },
    decide: async (...call) => (await load()).decide(...call),
    answer: async (...call) => (await load()).answer(...call),
    offerChanged: check,
  };
}
