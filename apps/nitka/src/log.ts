import { pino, stdSerializers } from "pino";
import type { DestinationStream, Logger } from "pino";
import type { Log } from "@nitka/server";
import type { Env } from "./read-env.ts";
import type { Output } from "./program-context.ts";

/**
 * The log of the program: one JSON object per line, with the message in `msg`. Of an error only the name, the message
 * and the stack are logged: providers attach the request to theirs, which contains the conversation.
 *
 * @param secrets are replaced in every line, because providers quote a key that they refuse. More may be added later.
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

/** A log that writes nothing. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Shorter secrets are placeholders, such as `ollama` for local servers. Replacing them would garble other words. */
const MIN_SECRET_CHARS = 8;

function withoutSecrets(destination: DestinationStream, secrets: readonly string[]): DestinationStream {
  let known = -1;
  let hidden: readonly string[] = [];
  return {
    write(line) {
      if (known !== secrets.length) {
        known = secrets.length;
        hidden = inJson(secrets);
      }
      destination.write(hidden.reduce((text, one) => text.replaceAll(one, "[secret]"), line));
    },
  };
}

/** Secrets as they occur in a line. Longer ones come first, because one may contain another. */
function inJson(secrets: readonly string[]): readonly string[] {
  return [...new Set(secrets)]
    .filter((secret) => secret.length >= MIN_SECRET_CHARS)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .toSorted((one, other) => other.length - one.length);
}

function bareError(error: Error): unknown {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}

/**
 * Formats the JSON log for a terminal: local time, message, then the fields.
 *
 * @example 10:42:07  request  method=GET route=/healthz status=200 ms=1
 */
export function logLines(output: Output): { write(json: string): void } {
  return {
    write: (json) => {
      const { time, level, msg = "", ...fields } = JSON.parse(json) as LogLine;
      const label = level === "info" ? "" : `${level.toUpperCase()} `;
      const rest = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
      output.write(`${[localTime(time), `${label}${msg}`, rest.join(" ")].join("  ").trimEnd()}\n`);
    },
  };
}

interface LogLine {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly [field: string]: unknown;
}

function localTime(time: string): string {
  return new Date(time).toTimeString().slice(0, 8);
}

function shown(value: unknown): string {
  if (typeof value === "string" && !value.includes(" ")) return value;
  const { message } = (value ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? JSON.stringify(message) : JSON.stringify(value);
}
