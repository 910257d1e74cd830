import { ChatError } from "../chat-error.ts";

/** What is counted, and for whom: a visitor or an address of a project. */
export interface Allowance {
  readonly name: "messages" | "threads" | "uploads" | "requests";
  readonly key: string;
  /** `null`: as many as one likes. */
  readonly perMinute: number | null;
}

export interface RateLimiter {
  /** Takes one of the allowance, or throws `rate_limited` with the seconds until there is one again. */
  take(allowance: Allowance): void;
}

interface Bucket {
  tokens: number;
  /** Milliseconds, when `tokens` was right. */
  at: number;
}

/** Buckets kept before the full ones, which say nothing, are let go. */
const MAX_BUCKETS = 50_000;

/** Questions may come in bursts of this many, or of a third of a minute's, where that is more. */
const MESSAGE_BURST = 10;

/** Token buckets in memory: each fills up evenly over the minute. What one process counts, another does not see. */
export function createRateLimiter(clock: () => Date): RateLimiter {
  const buckets = new Map<string, Bucket>();
  return {
    take({ name, key, perMinute }) {
      if (perMinute === null) return;
      const now = clock().getTime();
      const perMs = perMinute / 60_000;
      const size = burstOf(name, perMinute);
      const id = `${name}\n${key}`;
      const bucket = buckets.get(id) ?? { tokens: size, at: now };
      bucket.tokens = Math.min(size, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
      bucket.at = now;
      if (bucket.tokens < 1) {
        const retryAfter = perMs > 0 ? Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)) : 3600;
        throw new ChatError("rate_limited", `${sentences[name]} Try again in ${retryAfter} s.`, { retryAfter });
      }
      bucket.tokens -= 1;
      if (!buckets.has(id) && buckets.size >= MAX_BUCKETS) forget(buckets, now);
      buckets.set(id, bucket);
    },
  };
}

function burstOf(name: Allowance["name"], perMinute: number): number {
  return name === "messages" ? Math.min(perMinute, Math.max(MESSAGE_BURST, Math.ceil(perMinute / 3))) : perMinute;
}

/** A bucket that nobody has touched for a minute is full again, as good as none. */
function forget(buckets: Map<string, Bucket>, now: number): void {
  for (const [id, bucket] of buckets) if (now - bucket.at >= 60_000) buckets.delete(id);
  // Under an attack from many addresses all are fresh: the oldest go, so that memory stays bounded.
  for (const id of buckets.keys()) {
    if (buckets.size < MAX_BUCKETS) break;
    buckets.delete(id);
  }
}

const sentences: Readonly<Record<Allowance["name"], string>> = {
  messages: "Too many messages in a minute.",
  threads: "Too many new threads in a minute.",
  uploads: "Too many uploads in a minute.",
  requests: "Too many requests from this address in a minute.",
};
