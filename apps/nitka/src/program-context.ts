/** The environment of the program: variables, output streams, clock, signals. Tests pass their own. */
export interface ProgramContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  /** Also the destination of the log. */
  readonly stderr: Output;
  readonly clock: () => Date;
  /** Calls `listener` for each signal that asks the program to stop. */
  readonly onSignal: (listener: (signal: StopSignal) => void) => void;
  /** Calls `listener` each time the program is asked to reload its config file, by SIGHUP. */
  readonly onReload: (listener: () => void) => void;
}

/**
 * `SIGTERM` comes from a process manager, which allows time for a drain; `SIGINT` (Ctrl+C) comes from a person who
 * waits.
 */
export type StopSignal = "SIGINT" | "SIGTERM";

export interface Output {
  readonly isTTY?: boolean;
  /** @param done called when the text has been written, or with the error */
  write(text: string, done?: (error?: Error | null) => void): unknown;
}
