import type { NitkaHandle } from "../options.ts";
import type { Act } from "./command.ts";

type HandleParts = Pick<NitkaHandle, "element" | "ready" | "setColorScheme" | "destroy"> & {
  readonly command: <T>(act: Act<T>) => Promise<T>;
  /** As `command`, but does not load the app for a launcher that was never opened. */
  readonly ifAwake: (act: Act<void>) => Promise<void>;
  /** Ends the widget and starts another one in its place. */
  readonly restart: () => void;
};

/** The host's handle of a widget, which may not have loaded yet. */
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
