/** What the program has of the world outside; a test brings its own. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  /** Also where the log goes. */
  readonly stderr: Output;
  readonly clock: () => Date;
  /** Calls back for each signal that asks the program to stop. */
  readonly onSignal: (listener: (signal: StopSignal) => void) => void;
}

/** `SIGTERM` comes from whatever runs the program, and leaves it time; `SIGINT` from somebody who waits. */
export type StopSignal = "SIGINT" | "SIGTERM";

export interface Output {
  readonly isTTY?: boolean;
  /** @param done called when the text has gone out, or with what went wrong */
  write(text: string, done?: (error?: Error | null) => void): unknown;
}
