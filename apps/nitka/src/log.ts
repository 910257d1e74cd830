import { pino, stdSerializers } from "pino";
import type { DestinationStream, Logger } from "pino";
import type { Env } from "./env.ts";

/**
 * The program's log: a JSON object a line, with words for people under `msg`. Errors are logged by their names, words
 * and stacks alone: what providers hang on theirs holds the conversation.
 */
export function createLog(level: Env["LOG_LEVEL"], destination: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: bareError, error: (value: unknown) => (value instanceof Error ? bareError(value) : value) },
    },
    destination,
  );
}

function bareError(error: Error): unknown {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}
