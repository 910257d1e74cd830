import type { NitkaHandle } from "../options.ts";
import type { Act } from "./command.ts";

type HandleParts = Pick<NitkaHandle, "element" | "ready" | "setColorScheme" | "destroy"> & {
  readonly command: <T>(act: Act<T>) => Promise<T>;
  /** As `command`; where nothing has begun there is nothing to do. */
  readonly ifAwake: (act: Act<void>) => Promise<void>;
  /** Has another widget take this one's place. */
  readonly restart: () => void;
};

/** What a page holds of a widget that may still be on its way. */
export function createHandle({ command, ifAwake, restart, ...rest }: HandleParts): NitkaHandle {
  return {
    ...rest,
    send: (text, options) => command((commands) => commands.send(text, options)),
    newThread: () => command((commands) => commands.newThread()),
    selectThread: (threadId) => command((commands) => commands.selectThread(threadId)),
    stop: () => ifAwake((commands) => commands.stop()),
    open: () => command((commands) => commands.open()),
    close: () => ifAwake((commands) => commands.close()),
    focus: () => command((commands) => commands.focus()),
    setDraft: (text) => command((commands) => commands.setDraft(text)),
    notify: (text) => command((commands) => commands.notify(text)),
    eraseVisitor: () => command((commands) => commands.eraseVisitor()).then(restart),
  };
}
