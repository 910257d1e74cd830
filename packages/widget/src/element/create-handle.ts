import type { NitkaCommands, NitkaHandle } from "../options.ts";

export type Act<T> = (commands: NitkaCommands) => Promise<T>;

type HandleParts = Pick<NitkaHandle, "element" | "setColorScheme" | "destroy"> & {
  readonly ready: () => Promise<void>;
  readonly command: <T>(act: Act<T>) => Promise<T>;
  /** As `command`, but does not load the app for a launcher that was never opened. */
  readonly ifAwake: (act: Act<void>) => Promise<void>;
  /** Ends the widget and starts another one in its place. */
  readonly restart: () => void;
};

/** The host's handle of a widget, which may not have loaded yet. */
export function createHandle({ ready, command, ifAwake, restart, ...rest }: HandleParts): NitkaHandle {
  return {
    ...rest,
    get ready() {
      return ready();
    },
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
