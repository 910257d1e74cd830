import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";

export interface ConsoleWatch {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** Allows errors that match the pattern, because the test causes them. */
  allow(pattern: RegExp): void;
  /** Fails if an error on the console was not allowed. */
  check(): void;
}

/** Collects a page's console errors and warnings, and its uncaught errors. */
export function watchConsole(page: Page): ConsoleWatch {
  const errors: string[] = [];
  const warnings: string[] = [];
  const allowed: RegExp[] = [];
  page.on("console", (line) => {
    if (line.type() === "error") errors.push(line.text());
    if (line.type() === "warning") warnings.push(line.text());
  });
  page.on("pageerror", (error) => errors.push(`uncaught: ${error.message}`));
  return {
    errors,
    warnings,
    allow: (pattern) => allowed.push(pattern),
    check() {
      const unexpected = errors.filter((text) => !allowed.some((pattern) => pattern.test(text)));
      expect(unexpected, "errors on the page's console").toEqual([]);
    },
  };
}
