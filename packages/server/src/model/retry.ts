import { APICallError } from "@ai-sdk/provider";
import { sleep } from "./clock.ts";
import type { Clock } from "./clock.ts";
import type { ReportAgain } from "./model.ts";
import { isPassing, toModelError } from "./to-model-error.ts";

/** The waits before the second and the third attempt, in milliseconds. */
const DELAYS_MS = [500, 2_000];

/** A service that requests a longer wait is not asked again, because the visitor is waiting. */
const MAX_RETRY_AFTER_MS = 5_000;

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called before the wait for each retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

export type Retry = Omit<Extract<Parameters<ReportAgain>[0], { readonly reason: "failed" }>, "modelId">;

/**
 * Makes a request, and retries it up to twice when the failure may be temporary. The AI SDK's own function has a timer
 * that a model's clock cannot drive, and wraps the last error in another one.
 *
 * @throws the error of the last attempt; the signal's reason when it is aborted during a wait
 */
export async function withRetries<T>(ask: () => Promise<T>, { clock, signal, onRetry }: RetryOptions): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      const waitMs = signal.aborted || !isPassing(error) ? undefined : delayOf(error, DELAYS_MS[tries]);
      if (waitMs === undefined) throw error;
      onRetry?.(retryOf(error, tries + 2, waitMs));
      await sleep(clock, waitMs, signal);
      signal.throwIfAborted();
    }
  }
}

function retryOf(error: unknown, attempt: number, waitMs: number): Retry {
  const { code, status } = toModelError(error, false);
  return { reason: "failed", code, ...(status === undefined ? {} : { status }), attempt, waitMs };
}

/** Milliseconds to wait before the next attempt; `undefined` to give up. */
function delayOf(error: unknown, defaultMs: number | undefined): number | undefined {
  if (defaultMs === undefined) return undefined;
  const waitMs = APICallError.isInstance(error) ? retryAfterMs(error.responseHeaders ?? {}) : undefined;
  if (waitMs === undefined) return defaultMs;
  return waitMs > MAX_RETRY_AFTER_MS ? undefined : waitMs;
}

/**
 * `Retry-After` in seconds or as a date. A date is compared with the service's own clock if the response contains it.
 */
function retryAfterMs({ "retry-after": text, date }: Readonly<Record<string, string>>): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - (Date.parse(date ?? "") || Date.now()) : seconds * 1_000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
