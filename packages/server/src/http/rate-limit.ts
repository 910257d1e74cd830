import { ChatError } from "../chat-error.ts";
import { RETRY_AFTER_S } from "../services/timings.ts";

/** One limit that a request counts against. */
export interface Allowance {
  readonly name: "messages" | "threads" | "uploads" | "requests" | "light" | "sign-ins";
  readonly of: "visitor" | "address";
  readonly key: string;
  /** `null` for no limit. */
  readonly perMinute: number | null;
  /** The number of requests that it counts as. Default: 1. */
  readonly cost?: number;
}

export interface RateLimiter {
  /**
   * Counts against all allowances. Returns a function that undoes the counting.
   *
   * @throws ChatError `rate_limited` with the seconds until a retry makes sense; nothing was counted then
   */
  take(allowances: readonly Allowance[]): () => void;
}

interface Bucket {
  tokens: number;
  /** When `tokens` was computed, as a time of the clock in milliseconds. */
  at: number;
}

/** The size of a burst of questions: this many, or a third of `perMinute` if that is more. */
const MESSAGE_BURST = 10;

/** Token buckets in the memory of this process. A bucket refills evenly over a minute. */
export function createRateLimiter(clock: () => Date): RateLimiter {
  const buckets = createRecentMap<Bucket>();

  function bucketOf({ name, of, key }: Allowance, size: number, perMs: number, now: number): Bucket {
    const id = `${name}\n${of}\n${key}`;
    const bucket = buckets.get(id) ?? { tokens: size, at: now };
    bucket.tokens = Math.min(size, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    bucket.at = now;
    buckets.set(id, bucket);
    return bucket;
  }

  return {
    take(allowances) {
      const now = clock().getTime();
      const taken = allowances.flatMap((allowance) => {
        const { name, of, perMinute, cost = 1 } = allowance;
        if (perMinute === null) return [];
        const perMs = perMinute / 60_000;
        const size = burstOf(name, perMinute);
        const bucket = bucketOf(allowance, size, perMs, now);
        // Even a limit below the cost of one request admits that request when the bucket is full.
        const price = Math.min(cost, Math.max(1, size));
        if (bucket.tokens < price) {
          const retryAfter =
            perMs > 0 ? Math.max(1, Math.ceil((price - bucket.tokens) / perMs / 1000)) : RETRY_AFTER_S.never;
          const sentence = `Too many ${nouns[name]}${of === "address" ? " from this address" : ""} in a minute.`;
          throw new ChatError("rate_limited", `${sentence} Try again in ${retryAfter} s.`, {
            retryAfter,
            limit: limitOf(allowance),
          });
        }
        return [{ bucket, price, size }];
      });
      for (const { bucket, price } of taken) bucket.tokens -= price;
      return () => {
        for (const { bucket, price, size } of taken) bucket.tokens = Math.min(size, bucket.tokens + price);
      };
    },
  };
}

function burstOf(name: Allowance["name"], perMinute: number): number {
  return name === "messages" ? Math.min(perMinute, Math.max(MESSAGE_BURST, Math.ceil(perMinute / 3))) : perMinute;
}

const nouns: Readonly<Record<Allowance["name"], string>> = {
  messages: "messages",
  threads: "new threads",
  uploads: "uploads",
  requests: "requests",
  light: "requests",
  "sign-ins": "tries to sign in",
};

/** The name of an allowance's limit in a project's settings. */
function limitOf({ name, of }: Allowance): string {
  if (name === "sign-ins") return "signInsPerMinute";
  if (name === "light") return "requestsPerMinute";
  return name === "messages" && of === "address" ? "addressMessagesPerMinute" : `${name}PerMinute`;
}

/** Counts bytes by address and UTC day, only in the memory of this process. */
interface DayBytes {
  /** Counts bytes for every key. Returns false, and counts nothing, when one of the keys would exceed its limit. */
  add(allowances: readonly DayAllowance[], bytes: number): boolean;
}

interface DayAllowance {
  readonly key: string;
  readonly perDay: number;
}

export function createDayBytes(clock: () => Date): DayBytes {
  let today = "";
  let counts = createRecentMap<number>();
  return {
    add(allowances, bytes) {
      const day = clock().toISOString().slice(0, 10);
      if (day !== today) [today, counts] = [day, createRecentMap()];
      const countOf = ({ key }: DayAllowance) => counts.get(key) ?? 0;
      if (allowances.some((one) => countOf(one) + bytes > one.perDay)) return false;
      for (const one of allowances) counts.set(one.key, countOf(one) + bytes);
      return true;
    },
  };
}

/** The size of a generation. The map remembers at least the last 25,000 callers, and at most 50,000. */
const MAX_KEYS = 25_000;

/**
 * A map of callers' usage. Two generations bound its memory: when the young one is full it becomes the old one, and the
 * old one is dropped. Only keys that were not set during the last generation are lost.
 */
function createRecentMap<Value>() {
  let young = new Map<string, Value>();
  let old = new Map<string, Value>();
  return {
    get: (key: string) => young.get(key) ?? old.get(key),
    set(key: string, value: Value): void {
      young.set(key, value);
      if (young.size > MAX_KEYS) [old, young] = [young, new Map()];
    },
  };
}
