/** The fields of a log line: ids, counts, durations. Never the text of a message, never a credential. */
export type LogFields = Readonly<Record<string, unknown>>;

/** The logger that the server writes to. Structured loggers such as pino have this shape. */
export interface Log {
  info(fields: LogFields, text: string): void;
  warn(fields: LogFields, text: string): void;
  error(fields: LogFields, text: string): void;
}

/** The text of the log line for each retried request to a model, for an answer, a title or suggestions. */
export const REQUEST_AGAIN = "a request to a model is retried";

/** A log that writes nothing. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
