/** What goes beside a log line's words: ids, counts, durations. Never a message's text, never a credential. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Where the server writes what happened. Any structured logger of this shape fits, pino's among them. */
export interface Log {
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
}

/** A log that nobody reads: the default of a server that was given none. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
