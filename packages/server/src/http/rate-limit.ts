import { ChatError } from "../chat-error.ts";

/** What is counted, and for whom: a visitor or an address of a project. */
export interface Allowance {
  readonly name: "messages" | "threads" | "uploads" | "requests";
  readonly key: string;
  /** `null`: as many as one likes. */
  readonly perMinute: number | null;
}

export interface RateLimiter {
  /**
   * Takes one of the allowance, or throws `rate_limited` with the seconds until there is one again. Returns what gives
   * it back.
   */
  take(allowance: Allowance): () => void;
}

interface Bucket {
  tokens: number;
  /** Milliseconds, when `tokens` was right. */
  at: number;
}

/** So many callers are remembered for certain, and twice as many at most. */
const MAX_BUCKETS = 25_000;

/** Questions may come in bursts of this many, or of a third of a minute's, where that is more. */
const MESSAGE_BURST = 10;

/** Token buckets in memory: each fills up evenly over the minute. What one process counts, another does not see. */
export function createRateLimiter(clock: () => Date): RateLimiter {
  // Two generations: when the younger is full, the older, whom nobody has touched for so long, goes as a whole.
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  return {
    take({ name, key, perMinute }) {
      if (perMinute === null) return () => undefined;
      const now = clock().getTime();
      const perMs = perMinute / 60_000;
      const size = burstOf(name, perMinute);
      const id = `${name}\n${key}`;
      const bucket = young.get(id) ?? old.get(id) ?? { tokens: size, at: now };
      bucket.tokens = Math.min(size, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
      bucket.at = now;
      young.set(id, bucket);
      if (young.size > MAX_BUCKETS) [old, young] = [young, new Map()];
      if (bucket.tokens < 1) {
        const retryAfter = perMs > 0 ? Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)) : 3600;
        throw new ChatError("rate_limited", `${sentences[name]} Try again in ${retryAfter} s.`, { retryAfter });
      }
      bucket.tokens -= 1;
      return () => {
        bucket.tokens = Math.min(size, bucket.tokens + 1);
      };
    },
  };
}

function burstOf(name: Allowance["name"], perMinute: number): number {
  return name === "messages" ? Math.min(perMinute, Math.max(MESSAGE_BURST, Math.ceil(perMinute / 3))) : perMinute;
}

const sentences: Readonly<Record<Allowance["name"], string>> = {
  messages: "Too many messages in a minute.",
  threads: "Too many new threads in a minute.",
  uploads: "Too many uploads in a minute.",
  requests: "Too many requests from this address in a minute.",
};
