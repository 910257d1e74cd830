import { vi } from "vitest";

/** The timeout of `expect.poll` in vitest.config.ts. A check that holds sooner ends sooner. */
const PATIENCE_MS = 60_000;

/** Most checks hold within milliseconds, and a test has up to a hundred of them. */
const INTERVAL_MS = 10;

/** Repeats a check until it does not throw, and returns its result. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: INTERVAL_MS });
}
