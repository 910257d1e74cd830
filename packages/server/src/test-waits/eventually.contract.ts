import { vi } from "vitest";

/** On a busy machine a step of a run takes seconds, and vitest's own limit is one. A check that holds sooner ends sooner. */
const PATIENCE_MS = 20_000;

/** Repeats a check until it does not throw, and returns its result. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, PATIENCE_MS);
}
