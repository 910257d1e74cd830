import type { NitkaHandle } from "../options.ts";
import type { App } from "./app.ts";

type HandleParts = Pick<NitkaHandle, "element" | "ready" | "setColorScheme" | "destroy"> & {
  readonly command: <T>(act: (app: App) => Promise<T>) => Promise<T>;
  /** As `command`; where nothing has begun there is nothing to do. */
  readonly commandIfAwake: (act: (app: App) => Promise<void>) => Promise<void>;
};

/** What a page holds of a widget that may still be on its way. */
export function createHandle({ command, commandIfAwake, ...rest }: HandleParts): NitkaHandle {
  return {
    ...rest,
    send: (text, options) => command((app) => app.send(text, options)),
    newThread: () => command((app) => app.newThread()),
    selectThread: (threadId) => command((app) => app.selectThread(threadId)),
    stop: () => commandIfAwake((app) => app.stop()),
    open: () => command((app) => app.open()),
    close: () => commandIfAwake((app) => app.close()),
    focus: () => command((app) => app.focus()),
    setDraft: (text) => command((app) => app.setDraft(text)),
  };
}
