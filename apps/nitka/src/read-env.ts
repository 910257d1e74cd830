import type { z } from "zod";
import { nearestName } from "./config/nearest-name.ts";
import { SettingsError } from "./config/settings-error.ts";
import type { Setting } from "./env.ts";
import { settings } from "./env.ts";

type Settings = typeof settings;

/** The settings with their values. */
export type Env = { readonly [K in keyof Settings]: z.output<Settings[K]["schema"]> };

/**
 * Reads the environment. An empty value counts as unset, because compose files write one for a variable without a
 * value.
 *
 * @throws {SettingsError} with a sentence for every invalid setting
 */
export function readEnv(env: Readonly<Record<string, string | undefined>>): Env {
  const problems: string[] = [];
  const values = Object.entries(settings).map(
    ([name, { schema, expected, secret, explains }]: [string, Setting<unknown>]) => {
      const given = env[name]?.trim() === "" ? undefined : env[name]?.trim();
      const parsed = schema.safeParse(given);
      if (!parsed.success) {
        const why = explains
          ? parsed.error.issues.map(({ message }) => message).join("; ")
          : `${given?.length ?? 0} characters`;
        const shown = secret ? `invalid (${why})` : JSON.stringify(maskPasswords(given));
        problems.push(`${name} is ${shown}: expected ${expected}.`);
      }
      return [name, parsed.data] as const;
    },
  );
  if (problems.length > 0) throw new SettingsError(problems);
  return Object.fromEntries(values) as Env;
}

/** A sentence for each variable whose name is probably a misspelled setting. It has no effect. */
export function misspelledSettings(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const names = Object.keys(settings);
  return Object.keys(env).flatMap((name) => {
    const near = name.startsWith("NITKA_") && !names.includes(name) ? nearestName(name, names) : undefined;
    return near === undefined ? [] : [`${name} is not a setting: did you mean ${near}?`];
  });
}

/**
 * An address without anything that may be a password: the text after the user's name, and the values in the query.
 *
 * @example maskPasswords("mysql://me:hunter2@db/x?key=hunter2") // "mysql://me:***@db/x?key=***"
 */
function maskPasswords(text = ""): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)?(.*)$/is.exec(text) ?? [];
  const user = /^([^:@/]*):?.*@/s.exec(rest);
  const shown = user ? `${user[1]}:***@${rest.slice(user[0].length)}` : rest;
  return scheme + shown.replace(/([?&][^=&]*=)[^&]*/g, "$1***");
}
