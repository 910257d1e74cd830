import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Limits } from "@nitka/server";

/** Limits that a benchmark never reaches, because all of its requests come from one address. */
export const unlimited: Limits = {
  messagesPerMinute: null,
  threadsPerMinute: null,
  uploadsPerMinute: null,
  requestsPerMinute: null,
  runsAtOnce: null,
  addressRunsAtOnce: null,
  addressMessagesPerMinute: null,
  tokensPerDay: null,
  projectTokensPerDay: null,
  projectRunsAtOnce: null,
  storageBytes: null,
  projectStorageBytes: null,
  addressStorageBytesPerDay: null,
  threads: null,
  messageChars: null,
  upstreamIdleMs: 60_000,
  firstByteMs: 20_000,
  toolMs: 60_000,
  toolWaitMs: 120_000,
  contextChars: 400_000,
};

export const benchSecret = "only for measuring and nothing else";

/** The settings of a program without limits. Writes its config file into `folder`. */
export function unlimitedSettings(folder: string): Readonly<Record<"NITKA_CONFIG" | "NITKA_SECRET", string>> {
  const path = join(folder, "projects.json");
  writeFileSync(path, JSON.stringify({ projects: { default: { limits: unlimited } } }));
  return { NITKA_CONFIG: path, NITKA_SECRET: benchSecret };
}
