import { pino, stdSerializers } from "pino";
import type { DestinationStream, Logger } from "pino";
import type { Env } from "./env.ts";

/**
 * The program's log: a JSON object a line, with words for people under `msg`. Errors are logged by their names, words
 * and stacks alone: what providers hang on theirs holds the conversation.
 *
 * @param secrets stand in no line: providers' words repeat the key that they refuse
 */
export function createLog(
  level: Env["LOG_LEVEL"],
  destination: DestinationStream,
  secrets: readonly string[] = [],
): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: bareError, error: (value: unknown) => (value instanceof Error ? bareError(value) : value) },
    },
    withoutSecrets(destination, secrets),
  );
}

/** What is shorter is a word, such as the `ollama` that local servers take for a key. */
const MIN_SECRET_CHARS = 8;

function withoutSecrets(destination: DestinationStream, secrets: readonly string[]): DestinationStream {
  // As they stand in JSON. The longer first: one may be a part of another.
  const hidden = [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .toSorted((one, other) => other.length - one.length);
  if (hidden.length === 0) return destination;
  return { write: (line) => destination.write(hidden.reduce((text, one) => text.replaceAll(one, "[secret]"), line)) };
}

function bareError(error: Error): unknown {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}
