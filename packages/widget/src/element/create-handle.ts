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
  const call = <N extends keyof NitkaCommands>(name: N) =>
    ((...given: readonly unknown[]) =>
      command((commands) =>
        (commands[name] as (...given: readonly unknown[]) => Promise<unknown>)(...given),
      )) as NitkaCommands[N];
  return {
    ...rest,
    get ready() {
      return ready();
    },
    send: call("send"),
    newThread: call("newThread"),
    selectThread: call("selectThread"),
    stop: () => ifAwake((commands) => commands.stop()),
    open: call("open"),
    close: () => ifAwake((commands) => commands.close()),
    focus: call("focus"),
    setDraft: call("setDraft"),
    notify: call("notify"),
    eraseVisitor: () => command((commands) => commands.eraseVisitor()).then(restart),
  };
}
