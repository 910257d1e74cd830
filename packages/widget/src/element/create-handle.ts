import type { NitkaCommands, NitkaHandle } from "../options.ts";

export type Act<T> = (commands: NitkaCommands) => Promise<T>;

type HandleParts = Pick<NitkaHandle, "element" | "setColorScheme" | "destroy"> & {
  readonly ready: () => Promise<void>;
  readonly command: <T>(act: Act<T>) => Promise<T>;
  /** Like `command`, but does not load the app of a launcher that was never opened. */
  readonly ifAwake: (act: Act<void>) => Promise<void>;
  /** Ends the widget and starts another in its place. */
  readonly restart: () => void;
};

/** These commands wait for their turn, and make a launcher load its app. */
const QUEUED = ["send", "newThread", "selectThread", "open", "focus", "setDraft", "notify"] as const;

/** The host's handle of a widget, which may not have loaded yet. */
export function createHandle({ ready, command, ifAwake, restart, ...rest }: HandleParts): NitkaHandle {
  const handle = {
    ...rest,
    get ready() {
      return ready();
    },
    stop: () => ifAwake((commands) => commands.stop()),
    close: () => ifAwake((commands) => commands.close()),
    eraseVisitor: () => command((commands) => commands.eraseVisitor()).then(restart),
  } as { -readonly [K in keyof NitkaHandle]: NitkaHandle[K] };
  for (const name of QUEUED)
    handle[name] = (...given: readonly unknown[]) =>
      command((commands) => (commands[name] as (...given: readonly unknown[]) => Promise<never>)(...given));
  return handle;
}
